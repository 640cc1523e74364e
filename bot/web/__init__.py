"""The HTTP side of a server. The only room that names starlette and uvicorn."""
