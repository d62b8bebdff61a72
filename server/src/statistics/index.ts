export { readStatistics, type Wanted } from "./read.ts";
