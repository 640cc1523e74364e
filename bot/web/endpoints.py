"""Health, metrics, and Slack's deliveries: plain functions in threads behind one small application."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import BaseRoute, Route

MOST_BODY = 1_000_000  # bytes of one delivery; Slack's own are far smaller


@dataclass(frozen=True, slots=True)
class Delivery:
    """What came over HTTP, for whoever answers it."""

    body: str
    query: str
    headers: Mapping[str, Sequence[str]]


@dataclass(frozen=True, slots=True)
class Reply:
    status: int
    body: str = ""
    headers: Mapping[str, Sequence[str]] = field(default_factory=dict)


Health = Callable[[], Mapping[str, Any]]
Receive = Callable[[Delivery], Reply]


def application(
    health: Health, metrics: Callable[[], bytes], receive: Receive | None = None, more: Sequence[BaseRoute] = ()
) -> Starlette:
    """The application. ``health`` gives ``ok`` and what it rests on; ``receive`` takes Slack's deliveries, where they
    come by HTTP; ``more`` are routes of other parts."""

    async def healthz(_request: Request) -> Response:
        state = await run_in_threadpool(health)
        return JSONResponse(dict(state), status_code=200 if state.get("ok") else 503)

    async def counts(_request: Request) -> Response:
        return Response(await run_in_threadpool(metrics), media_type="text/plain; version=0.0.4")

    async def events(request: Request) -> Response:
        assert receive is not None
        raw = bytearray()
        async for chunk in request.stream():
            raw += chunk
            if len(raw) > MOST_BODY:
                return Response(status_code=413)
        headers: dict[str, list[str]] = {}
        for name, value in request.headers.items():
            headers.setdefault(name, []).append(value)
        delivery = Delivery(bytes(raw).decode("utf-8", errors="replace"), request.url.query, headers)
        reply = await run_in_threadpool(receive, delivery)
        response = Response(reply.body, status_code=reply.status)
        for name, values in reply.headers.items():
            response.headers[name] = values[0]
        return response

    routes: list[BaseRoute] = [Route("/healthz", healthz), Route("/metrics", counts)]
    if receive is not None:
        routes.append(Route("/slack/events", events, methods=["POST"]))
    return Starlette(routes=[*routes, *more])
