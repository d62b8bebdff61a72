import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { deleteAccount } from "@alcove/contract/accounts";
import { signUp } from "@alcove/test-services/client";
import { signUpForm } from "@alcove/test-services/fixtures";
import { startMailbox, type Mailbox } from "@alcove/test-services/mail";
import { startServer } from "@alcove/test-services/server";
import {
  startTraceCollector,
  type ReceivedSpan,
  type TraceCollector,
} from "@alcove/test-services/trace-collector";

// A start creates a whole database on a busy machine.
vi.setConfig({ testTimeout: 90_000 });

let dataDir: string;
let mailbox: Mailbox;
let collector: TraceCollector;

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), "alcove-traces-"));
  mailbox = await startMailbox();
  collector = await startTraceCollector();
});

afterEach(async () => {
  await Promise.all([mailbox.close(), collector.close()]);
  await rm(dataDir, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
});

const valueOf = ({ attributes }: ReceivedSpan, key: string) =>
  attributes.find((attribute) => attribute.key === key)?.value.stringValue;

test(
  "sends traces of requests, statements and jobs without a word about members",
  { tags: "long" },
  async () => {
    const variables = { DATA_DIR: dataDir, BOT_CHECK: "off", SMTP_URL: mailbox.url };
    const server = await startServer({ ...variables, OTEL_EXPORTER_OTLP_ENDPOINT: collector.url });
    const form = signUpForm("hanako-traced", { username: "Hanako", description: "Tea in the garden" });
    const member = await signUp(server.url, mailbox, form);
    const { headers } = await fetch(`${server.url}/en/users/api/user`, {
      headers: {
        authorization: `Bearer ${member.access}`,
        traceparent: `00-${"a".repeat(32)}-${"b".repeat(16)}-01`,
      },
    });
    await member.call(deleteAccount, {});
    await vi.waitFor(() => expect(jobs().length).toBeGreaterThan(0), { timeout: 20_000 });
    await server.stop();

    const { spans } = collector;
    const request = spans.find((span) => valueOf(span, "alcove.request_id") === headers.get("x-request-id"))!;
    expect(request.name).toBe("GET /:lang/users/api/user");
    expect(request.traceId).not.toBe("a".repeat(32));
    const statements = spans.filter(({ parentSpanId }) => parentSpanId === request.spanId);
    expect(statements.map(({ name }) => name)).toContain("SELECT");
    const requestIds = new Set(
      spans.filter(({ name }) => name.startsWith("DELETE ")).map(({ traceId }) => traceId),
    );
    expect(jobs().some(({ traceId }) => requestIds.has(traceId))).toBe(true);
    const lines = server.output().split("\n");
    expect(lines.some((line) => line.includes(request.traceId) && line.includes("request completed"))).toBe(
      true,
    );

    const text = JSON.stringify(spans);
    for (const secret of [
      form.userId,
      form.email,
      form.password,
      "Hanako",
      "Tea in the garden",
      member.code,
      member.access,
    ])
      expect(text).not.toContain(secret);

    function jobs() {
      return collector.spans.filter(({ name }) => name.startsWith("job ") && name !== "job deleted");
    }
  },
);

test("keeps serving while the collector is down", { tags: "long" }, async () => {
  await collector.close();
  const variables = { DATA_DIR: dataDir, BOT_CHECK: "off", SMTP_URL: mailbox.url };
  const server = await startServer({ ...variables, OTEL_EXPORTER_OTLP_ENDPOINT: collector.url });
  const member = await signUp(server.url, mailbox, signUpForm("taro-traced"));

  await vi.waitFor(() => expect(server.output()).toContain("traces could not be sent"), { timeout: 30_000 });

  const response = await member.fetch("/en/users/api/user");
  expect(response.status).toBe(200);
  expect((await server.stop()).code).toBe(0);
});
