import { solveChallenge, type Challenge } from "altcha-lib";
import { deriveKey } from "altcha-lib/algorithms/pbkdf2";

addEventListener("message", (event: MessageEvent<Challenge>) => {
  const challenge = event.data;
  void solveChallenge({ challenge, deriveKey }).then((solution) => postMessage(solution));
});
