// npm run histories [-- histories [seed]]: orders, captures, webhooks, refunds, fees and transfers in random order, against PayPal's own book; prints the seed
import { randomInt } from "node:crypto";
import { runProgram } from "./run-program.js";

const [histories = "10000", seed = String(randomInt(2 ** 31))] = process.argv.slice(2);

await runProgram("node_modules/vitest/vitest.mjs", ["run", "server/src/testing/payments-fuzz.test.ts"], {
  HISTORIES: histories,
  HISTORIES_SEED: seed,
});
console.log(`${histories} histories; the same again: npm run histories -- ${histories} ${seed}`);
