export { clearIconUrl, iconUrl, mediaIdOfIcon, messageImageUrl } from "./signed-urls.ts";
export { exportedName } from "./export.ts";
export {
  claimMedia,
  filesInUse,
  deleteMedia,
  hideMedia,
  readMedia,
  storeClearIcon,
  storeCopy,
  storeDocument,
  storeIcon,
  storeMessageImage,
  storeProcessedIcon,
  releaseMedia,
  unhideMedia,
} from "./files.ts";
export { hashStoredPicture } from "./picture-hashes.ts";
export { previewIcon } from "./preview.ts";
