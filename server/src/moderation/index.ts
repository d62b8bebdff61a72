export { countSameNetwork, isWaiting, listSameNetwork } from "./sign-up-networks.ts";
