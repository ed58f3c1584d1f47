"""A page of Chainlit over the scripted model: what it streams is what its page draws."""

import json
import os

import chainlit as cl
import httpx


@cl.on_message
async def answer(message: cl.Message) -> None:
    reply = cl.Message(content="")
    body = {"model": "scripted", "stream": True, "messages": [{"role": "user", "content": message.content}]}
    url = os.environ["BENCH_MODEL_URL"] + "/chat/completions"
    async with httpx.AsyncClient(timeout=None) as client, client.stream("POST", url, json=body) as stream:
        async for line in stream.aiter_lines():
            if line.startswith("data: {"):
                await reply.stream_token(json.loads(line[6:])["choices"][0]["delta"].get("content") or "")
    await reply.update()
