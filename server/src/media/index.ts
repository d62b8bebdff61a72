export { clearIconAddress, iconAddress, messageImageAddress } from "./signed-urls.ts";
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
