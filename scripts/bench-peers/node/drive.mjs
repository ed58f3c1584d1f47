// Feeds JavaScript parsers the same calls, each in its own dialect, and says how long they took and
// what they found: node drive.mjs FOLDER WORKLOAD SECONDS SIZE,… SUBJECT…
// One line of JSON for each subject and chunk size; a size of 0 is the whole text.
import { readFileSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';

const [folder, workload, seconds, sizes, ...subjects] = process.argv.slice(2);
const budget = Number(seconds) * 1000;
const tools = JSON.parse(readFileSync(`${folder}/tools.json`, 'utf8'));
const expected = JSON.parse(readFileSync(`${folder}/${workload}.calls.json`, 'utf8'));
const bodyOf = Object.fromEntries(tools.map((tool) => [tool.name, tool.body]));

// The line breaks around a file of several lines are layout.
const withoutLayout = (body) =>
  body.startsWith('\n') && body.endsWith('\n') && body.length > 1 ? body.slice(1, -1) : body;

// Calls from the events of a reader of XML.
function elements(found) {
  let open = null;
  return {
    start(name, attributes) {
      if (name !== 'r') open = { name, arguments: { ...attributes }, text: '' };
    },
    text(piece) {
      if (open) open.text += piece;
    },
    end(name) {
      if (!open || open.name !== name) return;
      if (bodyOf[name] && open.text !== '') open.arguments[bodyOf[name]] = withoutLayout(open.text);
      found.push({ name, arguments: open.arguments });
      open = null;
    },
  };
}

const schemas = tools.map((tool) => ({
  type: 'function',
  name: tool.name,
  inputSchema: {
    type: 'object',
    properties: Object.fromEntries(
      [...tool.attributes, ...(tool.body ? [tool.body] : [])].map((it) => [it, { type: 'string' }]),
    ),
  },
}));

// A stream of the AI SDK's parts, fed a chunk at a time.
async function aiSdk(protocol, found) {
  const stream = protocol.createStreamParser({ tools: schemas });
  const writer = stream.writable.getWriter();
  const reader = stream.readable.getReader();
  const done = (async () => {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      if (value.type === 'tool-call') {
        found.push({ name: value.toolName, arguments: JSON.parse(value.input) });
      }
    }
  })();
  return {
    write: (delta) => writer.write({ type: 'text-delta', id: '1', delta }),
    close: async () => {
      await writer.write({ type: 'finish', finishReason: 'stop', usage: {} });
      await writer.close();
      await done;
    },
  };
}

const subjectTable = {
  'ai-sdk-tool-parser (qwen)': {
    dialect: 'qwen',
    open: async (found) => aiSdk((await import('@ai-sdk-tool/parser')).qwen3CoderProtocol(), found),
  },
  'ai-sdk-tool-parser (xml)': {
    dialect: 'nested',
    open: async (found) => aiSdk((await import('@ai-sdk-tool/parser')).morphXmlProtocol(), found),
  },
  'partial-xml-stream-parser': {
    dialect: 'nested',
    async open(found) {
      const { PartialXMLStreamParser } = await import('partial-xml-stream-parser');
      const names = tools.map((tool) => tool.name);
      const parser = new PartialXMLStreamParser({
        allowedRootNodes: names,
        stopNodes: tools.filter((tool) => tool.body).map((tool) => `${tool.name}.${tool.body}`),
      });
      // Each answer repeats all that came before, so the last one counts.
      let last = null;
      const take = (result) => {
        if (result?.xml?.length) last = result;
      };
      const calls = () => {
        for (const piece of last?.xml ?? []) {
          if (typeof piece === 'string') continue;
          const [name, value] = Object.entries(piece)[0] ?? [];
          if (!names.includes(name)) continue;
          const own = Object.entries(value).filter(([key]) => !/^[#@]/.test(key));
          const args = own.map(([key, child]) => [key, child['#text'] ?? child]);
          found.push({ name, arguments: Object.fromEntries(args) });
        }
      };
      return {
        write: (chunk) => take(parser.parseStream(chunk)),
        close() {
          take(parser.parseStream(null));
          calls();
        },
      };
    },
  },
  sax: {
    dialect: 'xml',
    async open(found) {
      const parser = (await import('sax')).default.parser(true);
      const out = elements(found);
      parser.onopentag = (tag) => out.start(tag.name, tag.attributes);
      parser.ontext = parser.oncdata = (text) => out.text(text);
      parser.onclosetag = (name) => out.end(name);
      return { write: (chunk) => void parser.write(chunk), close: () => void parser.close() };
    },
  },
  saxes: {
    dialect: 'xml',
    async open(found) {
      const parser = new (await import('saxes')).SaxesParser();
      const out = elements(found);
      parser.on('opentag', (tag) => out.start(tag.name, tag.attributes));
      parser.on('text', (text) => out.text(text));
      parser.on('cdata', (text) => out.text(text));
      parser.on('closetag', (tag) => out.end(tag.name));
      return { write: (chunk) => void parser.write(chunk), close: () => void parser.close() };
    },
  },
  htmlparser2: {
    dialect: 'xml',
    async open(found) {
      const { Parser } = await import('htmlparser2');
      const out = elements(found);
      const handler = {
        onopentag: (name, attributes) => out.start(name, attributes),
        ontext: (text) => out.text(text),
        onclosetag: (name) => out.end(name),
      };
      const parser = new Parser(handler, { xmlMode: true, recognizeCDATA: true });
      return { write: (chunk) => parser.write(chunk), close: () => parser.end() };
    },
  },
};

async function pass(subject, text, size, until) {
  const found = [];
  const parser = await subject.open(found);
  let fed = 0;
  for (let at = 0, n = 0; at < text.length; at += size, n += 1) {
    if (n % 16 === 0 && performance.now() > until) return { fed, found };
    const chunk = text.slice(at, at + size);
    const promise = parser.write(chunk);
    if (promise) await promise;
    fed += chunk.length;
  }
  await parser.close();
  return { fed, found };
}

async function measure(name, text, size) {
  const subject = subjectTable[name];
  const start = performance.now();
  const { fed, found } = await pass(subject, text, size, start + budget);
  let time = performance.now() - start;
  const right = expected.filter((call, n) => isDeepStrictEqual(call, found[n])).length;
  if (fed === text.length) {
    // The first pass also warmed the machine up; then as many as fill half a second.
    let passes = 0;
    const again = performance.now();
    while (passes === 0 || performance.now() - again < Math.min(500, budget)) {
      await pass(subject, text, size, Infinity);
      passes += 1;
    }
    time = (performance.now() - again) / passes;
  }
  return {
    subject: name, size: size === text.length ? 0 : size, seconds: time / 1000,
    fed, total: text.length, found: found.length, right, calls: expected.length,
  };
}

for (const name of subjects) {
  const { dialect } = subjectTable[name];
  const text = readFileSync(`${folder}/${workload}.${dialect}.txt`, 'utf8');
  for (const size of sizes.split(',')) {
    try {
      console.log(JSON.stringify(await measure(name, text, Number(size) || text.length)));
    } catch (error) {
      console.log(JSON.stringify({ subject: name, size: Number(size), error: String(error) }));
    }
  }
}
