export { iconAddress, messageImageAddress } from "./addresses.ts";
export {
  claimMedia,
  forgetMedia,
  keepIcon,
  keepMessageImage,
  keepProcessedIcon,
  releaseMedia,
} from "./files.ts";
export { previewIcon } from "./preview.ts";
