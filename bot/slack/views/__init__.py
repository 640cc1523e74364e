"""Builders of messages, forms and the home tab: values in, plain JSON out."""
