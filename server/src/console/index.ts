export { consoleOrigin, startConsole, type RunningConsole } from "./console-server.ts";
export {
  addOperator,
  ENROLMENT_MINUTES,
  listOperators,
  readOperatorNames,
  removeOperator,
  resetOperator,
} from "./operators.ts";
