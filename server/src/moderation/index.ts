export { countSameNetwork, isWaiting, listSameNetwork } from "./sign-up-networks.ts";
export { decideFlag, listFlags, readFlag, readFlagPicture } from "./suspended-pictures.ts";
