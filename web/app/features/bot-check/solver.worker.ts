import { solveChallenge, type Challenge } from "altcha-lib";
import { deriveKey } from "altcha-lib/algorithms/web/pbkdf2";

/** The most work of a login takes a slow phone some minutes. */
const LONGEST_MS = 10 * 60_000;

addEventListener("message", (event: MessageEvent<Challenge>) => {
  const challenge = event.data;
  void solveChallenge({ challenge, deriveKey, timeout: LONGEST_MS }).then((solution) =>
    postMessage(solution),
  );
});
