export { answerHelp, findHelpOwner, listOpenHelp, readHelp } from "./help.ts";
