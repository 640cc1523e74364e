"""The Slack app. The only room that names slack_bolt, slack_sdk and slackblocks.

A payload becomes an item that is written down (``desk``), is answered (``work``) and posted once (``posting``).
``listeners`` route, ``views`` build messages and forms, ``text`` holds the sentences that only Slack needs.
"""
