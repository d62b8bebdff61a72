import { expect, test } from "vitest";
import { readWithFiles, withoutFiles } from "./form-files.ts";

test("sends a form with a picture through a request that holds text only", async () => {
  const form = new FormData();
  form.append("user_id", "taro");
  form.append("icon", new File(["picture"], "icon.png", { type: "image/png" }));
  const sent = withoutFiles(form);
  expect([...sent.values()].map((value) => typeof value)).toEqual(["string", "string"]);

  const read = await readWithFiles(new Request("http://localhost/", { method: "POST", body: sent }));

  expect(read.get("user_id")).toBe("taro");
  const icon = read.get("icon") as File;
  expect([icon.name, icon.type, await icon.text()]).toEqual(["icon.png", "image/png", "picture"]);
});
