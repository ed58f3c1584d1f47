"""Feeds Python parsers the same calls, each in its own dialect, and says how long they took and what
they found: drive.py FOLDER WORKLOAD SECONDS SIZE,... SUBJECT...

One line of JSON for each subject and chunk size; a size of 0 is the whole text."""

import json
import sys
import time
from xml.parsers import expat


def read(path):
    with open(path, encoding="utf-8", newline="") as file:
        return file.read()


class Expat:
    """The C parser of XML in the standard library."""

    dialect = "xml"

    def __init__(self, tools):
        self.bodies = {tool["name"]: tool["body"] for tool in tools}
        self.found, self.open = [], None
        self.parser = expat.ParserCreate()
        self.parser.StartElementHandler = self.start
        self.parser.EndElementHandler = self.end
        self.parser.CharacterDataHandler = self.text

    def start(self, name, attributes):
        if name != "r":
            self.open = (name, dict(attributes), [])

    def text(self, piece):
        if self.open:
            self.open[2].append(piece)

    def end(self, name):
        if not self.open or self.open[0] != name:
            return
        arguments, body = self.open[1], "".join(self.open[2])
        if self.bodies[name] and body:
            is_layout = len(body) > 1 and body[0] == body[-1] == "\n"
            arguments[self.bodies[name]] = body[1:-1] if is_layout else body
        self.found.append({"name": name, "arguments": arguments})
        self.open = None

    def feed(self, chunk):
        self.parser.Parse(chunk, False)

    def close(self):
        self.parser.Parse("", True)
        return self.found


class Sglang:
    """SGLang's detector for Qwen's coders."""

    dialect = "qwen"

    def __init__(self, tools):
        from llm_router_utils.sglang.srt.entrypoints.openai.protocol import Function, Tool
        from llm_router_utils.sglang.srt.function_call.function_call_parser import (
            FunctionCallParser,
        )

        def schema(tool):
            names = tool["attributes"] + ([tool["body"]] if tool["body"] else [])
            return {"type": "object", "properties": {it: {"type": "string"} for it in names}}

        functions = [Function(name=tool["name"], parameters=schema(tool)) for tool in tools]
        all_tools = [Tool(type="function", function=function) for function in functions]
        self.parser = FunctionCallParser(all_tools, "qwen3_coder")
        self.calls = {}

    def take(self, items):
        for item in items:
            call = self.calls.setdefault(item.tool_index, ["", ""])
            call[0] = item.name or call[0]
            call[1] += item.parameters or ""

    def feed(self, chunk):
        self.take(self.parser.parse_stream_chunk(chunk)[1])

    def close(self):
        self.take(self.parser.parse_stream_end()[1])
        found = []
        for _, (name, arguments) in sorted(self.calls.items()):
            try:
                found.append({"name": name, "arguments": json.loads(arguments)})
            except ValueError:
                found.append({"name": name, "arguments": None})
        return found


class AgentToolParser:
    """Has no incremental form: it reads the text so far again at every chunk."""

    dialect = "invoke"

    def __init__(self, tools):
        import agent_tool_parser

        names = {tool["name"] for tool in tools}
        self.parser = agent_tool_parser.ToolParser(allowed_tools=names)
        self.text, self.calls = "", []

    def feed(self, chunk):
        self.text += chunk
        self.calls = self.parser.try_parse_all(self.text) or []

    def close(self):
        return [{"name": call.name, "arguments": call.args} for call in self.calls]


SUBJECTS = {"expat": Expat, "llm-router-utils": Sglang, "agent-tool-parser": AgentToolParser}


def one_pass(subject, tools, text, size, until):
    parser, fed = subject(tools), 0
    for n, at in enumerate(range(0, len(text), size)):
        if n % 16 == 0 and time.perf_counter() > until:
            return fed, []
        chunk = text[at : at + size]
        parser.feed(chunk)
        fed += len(chunk)
    return fed, parser.close()


def measure(name, tools, expected, text, size, budget):
    subject, start = SUBJECTS[name], time.perf_counter()
    fed, found = one_pass(subject, tools, text, size, start + budget)
    seconds = time.perf_counter() - start
    if fed == len(text) and seconds < budget / 2:
        start, passes = time.perf_counter(), 0
        while passes == 0 or time.perf_counter() - start < 0.3:
            one_pass(subject, tools, text, size, float("inf"))
            passes += 1
        seconds = (time.perf_counter() - start) / passes
    right = sum(a == b for a, b in zip(expected, found))
    return {
        "subject": name,
        "size": 0 if size == len(text) else size,
        "seconds": seconds,
        "fed": fed,
        "total": len(text),
        "found": len(found),
        "right": right,
        "calls": len(expected),
    }


def main():
    folder, workload, seconds, sizes, *subjects = sys.argv[1:]
    tools = json.loads(read(f"{folder}/tools.json"))
    expected = json.loads(read(f"{folder}/{workload}.calls.json"))
    for name in subjects:
        text = read(f"{folder}/{workload}.{SUBJECTS[name].dialect}.txt")
        for size in sizes.split(","):
            try:
                n = int(size) or len(text)
                row = measure(name, tools, expected, text, n, float(seconds))
            except Exception as error:  # a peer that fails is a row, not an end
                row = {"subject": name, "size": int(size), "error": repr(error)[:200]}
            print(json.dumps(row), flush=True)


main()
