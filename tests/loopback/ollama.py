"""An Ollama-like and an OpenAI-like chat endpoint; what it says is given by a function from prompt to text."""

from collections.abc import Callable

import orjson

from tests.loopback.server import Reply, Seen, json_reply


def answering(say: Callable[[str], str]) -> Callable[[Seen], Reply]:
    def answer(seen: Seen) -> Reply:
        body = orjson.loads(seen.body)
        said = say(body["messages"][-1]["content"])
        if seen.path == "/api/chat":
            return json_reply({"model": body["model"], "message": {"role": "assistant", "content": said}, "done": True})
        if seen.path == "/v1/chat/completions":
            choice = {"index": 0, "message": {"role": "assistant", "content": said}, "finish_reason": "stop"}
            return json_reply({"id": "x", "object": "chat.completion", "model": body["model"], "choices": [choice]})
        return json_reply({"error": "not found"}, 404)

    return answer
