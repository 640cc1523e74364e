# gpu-bot without torch: docker build -t gpu-bot . && docker run --rm gpu-bot ask "cheapest for 72h on 4×A100"
FROM python:3.11-slim AS build
WORKDIR /src
RUN python -m venv /opt/gpu-bot
COPY pyproject.toml README.md LICENSE ./
COPY knowledge/ knowledge/
COPY rules/ rules/
COPY bot/ bot/
RUN /opt/gpu-bot/bin/pip install --no-cache-dir '.[serve,bench]'

FROM python:3.11-slim
COPY --from=build /opt/gpu-bot /opt/gpu-bot
ENV PATH=/opt/gpu-bot/bin:$PATH \
    PYTHONUNBUFFERED=1 \
    GPU_BOT_BIND=0.0.0.0
RUN useradd --uid 10001 --create-home gpu-bot
USER 10001
WORKDIR /home/gpu-bot
ENTRYPOINT ["gpu-bot"]
CMD ["--help"]
