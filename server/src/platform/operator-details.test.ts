import { expect, test } from "vitest";
import { findMissingOperatorData, operatorDetails } from "./operator-details.ts";

const unset = {
  name: null,
  address: null,
  phone: null,
  register: null,
  taxId: null,
  representative: null,
};
const supportEmail = "desk@quiet.example";
const here = { operator: unset, supportEmail, isLoopback: true, trustProxy: false };

test("names the data that a reachable server lacks, and none on loopback", () => {
  const operator = { ...unset, name: "Quiet & Co", phone: "+49 30 1" };

  expect(findMissingOperatorData(here)).toEqual([]);
  expect(findMissingOperatorData({ ...here, isLoopback: false })).toEqual([
    "OPERATOR_NAME",
    "OPERATOR_ADDRESS",
    "OPERATOR_PHONE",
  ]);
  expect(findMissingOperatorData({ ...here, trustProxy: true, operator })).toEqual(["OPERATOR_ADDRESS"]);
});

test("shows where data is missing, and an example on loopback", () => {
  const operator = { ...unset, name: "Quiet & Co" };

  expect(operatorDetails({ ...here, operator }, "en")).toMatchObject({
    name: "Quiet & Co",
    address: expect.stringMatching(/example/i) as string,
    email: supportEmail,
    taxId: null,
  });
  expect(operatorDetails({ ...here, trustProxy: true, operator }, "ja")).toMatchObject({
    name: "Quiet & Co",
    phone: "運営者がまだ記載していません",
  });
});
