"""Prices that others publish: files and addresses to observations, never to the knowledge folder.

One file for each source (``skypilot gpuhunt karpenter table vast community``), each a pure function from bytes to
readings. A reading is what one source says at one time, with a report of every row that was rejected or marked.

- ``intake``     bytes in, within limits: too large, cut off, not UTF-8, a web page, a zip that bursts
- ``names``      other people's names for GPUs, providers and regions to ours
- ``checks``     what must hold before a row may count
- ``importing``  readings into the database, all or nothing
- ``refresh``    the same from the network
- ``offers``     observations to offers of the catalogue
- ``reader``     the offers of the GPUs that a question names, from the database
"""
