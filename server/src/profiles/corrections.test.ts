import { expect, test } from "vitest";
import { getOwnUser } from "@alcove/contract/accounts";
import {
  decideCorrection,
  getCorrections as listForOperator,
  openCorrection,
} from "@alcove/contract/console-corrections";
import { getCorrections, requestCorrection } from "@alcove/contract/corrections";
import { getOptions } from "@alcove/contract/discovery";
import { saveFilter } from "@alcove/contract/profiles";
import { operatorOf } from "../testing/console.ts";
import { environmentOf, operator } from "../testing/operator.ts";
import { serviceForTest } from "../testing/service-for-test.ts";
import { expectError, type TestMember, type TestService } from "../testing/test-service.ts";

const options = { config: { consolePort: 0 } };

const stateOf = async (member: TestMember) => (await member.call(getOwnUser, {})).user.correction;

async function decideByCommand(service: TestService, decision: "accept" | "reject"): Promise<void> {
  const env = environmentOf(service);
  const listed = await operator(env, "corrections", "list", "--json");
  const [{ id }] = JSON.parse(listed.out) as [{ id: string }];
  const shown = await operator(env, "corrections", "show", id, "--json");
  expect(JSON.parse(shown.out)).toMatchObject({ reason: "A slip." });
  expect((await operator(env, "corrections", decision, id)).code).toBe(0);
  expect((await operator(env, "corrections", decision, id)).code).toBe(1);
}

test("corrects the sex once after an operator's decision, and the search follows at once", async () => {
  const service = await serviceForTest(options);
  const hanako = await service.member("hanako", { sex: "male", paid: true });
  const taro = await service.member("taro", { sex: "male", paid: true });
  await taro.call(saveFilter, { search_sex: "female" });
  await hanako.call(saveFilter, { search_sex: "male" });
  const sato = await operatorOf(service, "Sato");
  const found = async () => (await taro.call(getOptions, {})).options.map(({ user_id }) => user_id);
  expect(await found()).toEqual([]);
  expect(await stateOf(hanako)).toBeNull();

  await hanako.call(requestCorrection, { sex: "female", reason: "A slip." });
  expect(await stateOf(hanako)).toBe("waiting");
  await expectError(
    hanako.call(requestCorrection, { date_of_birth: "1985-05-05", reason: "A slip." }),
    "correction_waiting",
  );
  const { id } = (await sato.call(listForOperator, {})).corrections[0]!;
  const { correction } = await sato.call(openCorrection, { id });
  await sato.call(decideCorrection, { id, outcome: "done" });

  expect(correction).toMatchObject({ user_id: "hanako", field: "sex", now: "male", wanted: "female" });
  expect(await found()).toEqual(["hanako"]);
  expect((await hanako.call(getOwnUser, {})).user).toMatchObject({ sex: "female", correction: "done" });
  await expectError(sato.call(decideCorrection, { id, outcome: "done" }), "case_taken");
  await expectError(hanako.call(requestCorrection, { sex: "male", reason: "Again." }), "already_corrected");
});

test("corrects the date of birth by command line, and takes another request after a rejection", async () => {
  const service = await serviceForTest(options);
  const hanako = await service.member("hanako", { at: null, date_of_birth: "1988-06-15" });

  await hanako.call(requestCorrection, { date_of_birth: "1983-01-02", reason: "A slip." });
  await decideByCommand(service, "reject");
  expect(await stateOf(hanako)).toBe("rejected");
  await hanako.call(requestCorrection, { date_of_birth: "1983-01-02", reason: "A slip." });
  await decideByCommand(service, "accept");

  expect((await hanako.call(getOwnUser, {})).user).toMatchObject({
    date_of_birth: "1983-01-02",
    correction: "done",
  });
  const { corrections } = await hanako.call(getCorrections, {});
  expect(corrections).toMatchObject([{ field: "date_of_birth", state: "done" }]);
});

test("rejects a correction of both fields, of none, of the same value and of a minor", async () => {
  const { member } = await serviceForTest(options);
  const hanako = await member("hanako", { at: null, sex: "female", date_of_birth: "1988-06-15" });
  const reason = "A slip.";
  const fieldsOf = async (input: { sex?: "female" | "male"; date_of_birth?: string; reason?: string }) => {
    const error = await expectError(hanako.call(requestCorrection, { reason, ...input }), "invalid_input");
    return Object.keys(error.body["validation_errors"] as object);
  };

  expect(await fieldsOf({ sex: "male", date_of_birth: "1980-01-01" })).toEqual(["date_of_birth"]);
  expect(await fieldsOf({})).toEqual(["sex"]);
  expect(await fieldsOf({ sex: "female" })).toEqual(["sex"]);
  expect(await fieldsOf({ date_of_birth: "2020-01-01" })).toEqual(["date_of_birth"]);
  expect(await fieldsOf({ sex: "male", reason: "" })).toEqual(["reason"]);
});
