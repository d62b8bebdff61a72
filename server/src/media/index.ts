export { iconAddress, messageImageAddress } from "./addresses.ts";
export { claimMedia, forgetMedia, keepIcon, keepMessageImage } from "./files.ts";
