import { once } from "node:events";
import { request, type ClientRequest, type IncomingMessage } from "node:http";
import { expect, test } from "vitest";
import { serviceForTest } from "../../testing/service-for-test.ts";

const END = "\r\n--b--\r\n";
const HEAD = [
  "--b",
  'content-disposition: form-data; name="icon"; filename="icon.png"',
  "",
  "the beginning of a picture",
].join("\r\n");

/** An unfinished form with a picture. The server starts to read it when it requests the rest. */
async function beginForm(url: string, network: string): Promise<ClientRequest> {
  const form = request(`${url}/en/users/api/sign-up-icon-preview`, {
    method: "POST",
    headers: {
      "content-type": "multipart/form-data; boundary=b",
      "x-forwarded-for": network,
      expect: "100-continue",
    },
  });
  form.flushHeaders();
  await once(form, "continue");
  form.write(HEAD);
  return form;
}

const statusOf = async (form: ClientRequest): Promise<number> => {
  const [status] = (await once(form, "response")) as [IncomingMessage];
  status.resume();
  return status.statusCode!;
};

test("reads four uploads of one network at once and lets a fifth wait", async () => {
  const { url } = await serviceForTest({ config: { trustProxy: true } });
  const slow = await Promise.all(Array.from({ length: 4 }, () => beginForm(url, "2001:db8:1:2::1")));
  let isDone = false;
  const fifth = await beginForm(url, "2001:db8:1:2::2");
  const status = statusOf(fifth).finally(() => (isDone = true));
  fifth.end(END);

  for (let i = 0; i < 5; i++) {
    const other = await beginForm(url, "203.0.113.7");
    other.end(END);
    expect(await statusOf(other)).toBe(400);
  }
  expect(isDone).toBe(false);

  slow[0]!.end(END);
  expect(await statusOf(slow[0]!)).toBe(400);
  expect(await status).toBe(400);
  for (const form of slow.slice(1)) {
    form.end(END);
    expect(await statusOf(form)).toBe(400);
  }
});
