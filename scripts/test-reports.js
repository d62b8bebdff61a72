// Reads the reports of vitest and Playwright: how many tests passed and failed, and which ones

/** @typedef {{ passed: number, failed: number, remarks: string[] }} Outcome `remarks` name what failed, and what passed only at its second try */

/**
 * @param {{ numPassedTests: number, numFailedTests: number, testResults: VitestFile[] }} report
 * @param {string} root
 * @returns {Outcome}
 *
 * @typedef {{ name: string, status: string, message: string, assertionResults: VitestTest[] }} VitestFile
 * @typedef {{ status: string, fullName: string, failureMessages: string[] }} VitestTest
 */
export function readUnitReport({ numPassedTests, numFailedTests, testResults }, root) {
  // a file that cannot be loaded fails without a single test of its own
  const broken = testResults.filter((file) => file.status === "failed" && file.assertionResults.length === 0);
  const remarks = testResults.flatMap(({ name, assertionResults }) =>
    assertionResults
      .filter(({ failureMessages }) => failureMessages.length > 0)
      .map(({ status, fullName, failureMessages }) =>
        remark(status === "failed", `${name.replace(`${root}/`, "")} › ${fullName}`, failureMessages[0]),
      ),
  );
  return {
    passed: numPassedTests,
    failed: numFailedTests + broken.length,
    remarks: [
      ...broken.map(({ name, message }) => remark(true, name.replace(`${root}/`, ""), message)),
      ...remarks,
    ],
  };
}

/**
 * @param {{ stats: { expected: number, flaky: number, unexpected: number }, suites: JourneySuite[] }} report
 * @returns {Outcome}
 *
 * @typedef {{ suites?: JourneySuite[], specs: JourneySpec[] }} JourneySuite
 * @typedef {{ title: string, file: string, line: number, tests: { status: string, results: { error?: { message?: string } }[] }[] }} JourneySpec
 */
export function readJourneyReport({ stats, suites }) {
  const remarks = suites.flatMap(specsOf).flatMap(({ title, file, line, tests }) =>
    tests
      .filter(({ status }) => status === "unexpected" || status === "flaky")
      .map(({ status, results }) => {
        const message = results.find(({ error }) => error)?.error?.message;
        return remark(status === "unexpected", `${file}:${line} › ${title}`, message);
      }),
  );
  return { passed: stats.expected + stats.flaky, failed: stats.unexpected, remarks };
}

/**
 * @param {JourneySuite} suite
 * @returns {JourneySpec[]}
 */
function specsOf({ suites = [], specs }) {
  return [...specs, ...suites.flatMap(specsOf)];
}

/**
 * What is said at the end of a test or a check that failed, or passed only at its second try.
 *
 * @param {boolean} isFailed
 * @param {string} name
 * @param {string} [message]
 */
export function remark(isFailed, name, message = "") {
  const lines = message.trim().split("\n").slice(0, 12);
  return [`${isFailed ? "failed" : "second try"}  ${name}`, ...lines.map((line) => `    ${line}`)].join("\n");
}
