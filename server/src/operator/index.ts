export { consoleOrigin, startConsole, type RunningConsole } from "./console/console-server.ts";
export {
  addOperator,
  ENROLMENT_MINUTES,
  listOperators,
  removeOperator,
  resetOperator,
} from "./console/operators.ts";
