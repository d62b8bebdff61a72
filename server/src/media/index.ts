export { clearIconAddress, iconAddress, messageImageAddress } from "./addresses.ts";
export { exportedName } from "./export.ts";
export {
  claimMedia,
  filesInUse,
  forgetMedia,
  keepClearIcon,
  keepIcon,
  keepMessageImage,
  keepProcessedIcon,
  releaseMedia,
} from "./files.ts";
export { previewIcon } from "./preview.ts";
