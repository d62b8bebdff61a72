export { countFigures, readYear } from "./figures.ts";
export { toCsv, toPage } from "./report.ts";
