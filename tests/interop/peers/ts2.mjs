// A server on @modelcontextprotocol/server that asks in rounds (inputRequired). The SDK itself turns
// them into elicitation/create for handshake clients on stdio.
//
//   node ts2.mjs                 stdio, both eras
//   node ts2.mjs --http PORT     streamable HTTP on 127.0.0.1, 2026-07-28 only
import { randomBytes } from "node:crypto";
import { createServer } from "node:http";
import { Readable } from "node:stream";

import {
  createMcpHandler,
  createRequestStateCodec,
  fromJsonSchema,
  inputRequired,
  inputResponse,
  McpServer,
} from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";

const codec = createRequestStateCodec({ key: randomBytes(32) });

const NAME = {
  type: "object",
  properties: { name: { type: "string", title: "Name", minLength: 1 } },
  required: ["name"],
};
const DAY = {
  type: "object",
  properties: {
    day: { type: "string", title: "Day", format: "date" },
    when: {
      type: "string",
      title: "When",
      oneOf: [
        { const: "am", title: "Morning" },
        { const: "pm", title: "Afternoon" },
      ],
      default: "pm",
    },
  },
  required: ["day"],
};

const no_arguments = fromJsonSchema({ type: "object", properties: {} });

const say = (value) => ({ content: [{ type: "text", text: JSON.stringify(value) }] });

const view = ({ action, content }) => (content === undefined ? { action } : { action, content });

const form = (message, requestedSchema) => inputRequired.elicit({ message, requestedSchema });

function factory() {
  const server = new McpServer(
    { name: "ts2", version: "1.0.0" },
    { capabilities: { tools: {} }, requestState: { verify: codec.verify } },
  );

  server.registerTool("two_at_once", { description: "Two forms in one round.", inputSchema: no_arguments }, (_, ctx) => {
    const answers = ctx.mcpReq.inputResponses;
    const [who, when] = [inputResponse(answers, "who"), inputResponse(answers, "when")];
    const open = {};
    if (who.kind !== "elicit") open.who = form("Who are you?", NAME);
    if (when.kind !== "elicit") open.when = form("When do you come?", DAY);
    return Object.keys(open).length ? inputRequired({ inputRequests: open }) : say({ who: view(who), when: view(when) });
  });

  server.registerTool(
    "two_rounds",
    { description: "Two forms, the second after the first.", inputSchema: no_arguments },
    async (_, ctx) => {
      const state = ctx.mcpReq.requestState();
      const answers = ctx.mcpReq.inputResponses;
      if (state === undefined) {
        const who = inputResponse(answers, "who");
        if (who.kind !== "elicit") return inputRequired({ inputRequests: { who: form("Who are you?", NAME) } });
        if (who.action !== "accept") return say({ who: view(who) });
        return inputRequired({
          inputRequests: { when: form(`When do you come, ${who.content.name}?`, DAY) },
          requestState: await codec.mint({ who: view(who) }, ctx),
        });
      }
      return say({ ...state, when: view(inputResponse(answers, "when")) });
    },
  );

  server.registerTool("visit", { description: "A URL to visit.", inputSchema: no_arguments }, (_, ctx) => {
    const page = inputResponse(ctx.mcpReq.inputResponses, "page");
    if (page.kind === "elicit") return say({ page: view(page) });
    const url = "https://example.com/consent";
    return inputRequired({ inputRequests: { page: inputRequired.elicitUrl({ message: "Please agree.", url }) } });
  });

  return server;
}

function serveHttp(port) {
  const handler = createMcpHandler(factory, { legacy: "reject" });
  const http = createServer(async (req, res) => {
    const body = req.method === "POST" ? { body: Readable.toWeb(req), duplex: "half" } : {};
    const gone = new AbortController();
    res.on("close", () => gone.abort());
    const request = new Request(`http://127.0.0.1:${port}${req.url}`, {
      method: req.method,
      headers: req.headers,
      signal: gone.signal,
      ...body,
    });
    const answer = await handler.fetch(request);
    res.writeHead(answer.status, Object.fromEntries(answer.headers));
    if (answer.body) Readable.fromWeb(answer.body).on("error", () => res.destroy()).pipe(res);
    else res.end();
  });
  http.listen(port, "127.0.0.1", () => console.error(`ts2: open at http://127.0.0.1:${port}/mcp`));
}

if (process.argv[2] === "--http") serveHttp(Number(process.argv[3]));
else serveStdio(factory);
