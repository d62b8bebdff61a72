import { createFaceDetector } from "../../integrations/face-detection/face-detector.ts";
import { openLog } from "../../platform/log.ts";
import { cropsOf, measureLinking } from "./linking.ts";

/** Measures whether the original of a processed picture is found. Run: `npm run faces`. */
const ROUNDS = 5;
const print = (line: string) => process.stdout.write(`${line}\n`);

const detector = createFaceDetector(openLog("silent"));
const crops = await cropsOf(detector);
detector.close();
const photographs = new Set(crops.map(({ photograph }) => photograph)).size;
print(`${crops.length} squares of ${photographs} photographs, each processed ${ROUNDS} times.\n`);
print(`| attack | originals found, of ${crops.length} | photographs found |`);
print("| --- | --- | --- |");
for (const { attack, originals, photographs: right } of await measureLinking(crops, ROUNDS))
  print(`| ${attack} | ${originals.toFixed(1)} | ${right.toFixed(1)} |`);
print("");
