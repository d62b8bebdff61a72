import { solveChallenge, type Challenge } from "altcha-lib";
import { deriveKey } from "altcha-lib/algorithms/web/pbkdf2";

addEventListener("message", (event: MessageEvent<Challenge>) => {
  const challenge = event.data;
  void solveChallenge({ challenge, deriveKey }).then((solution) => postMessage(solution));
});
