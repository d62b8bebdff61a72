export { clearIconUrl, iconUrl, mediaIdOfIcon, messageImageUrl } from "./signed-urls.ts";
export { exportedName } from "./export.ts";
export {
  claimMedia,
  filesInUse,
  deleteMedia,
  hideMedia,
  NOBODY,
  readMedia,
  storeClearIcon,
  storeCopy,
  storeDocument,
  storeIcon,
  storeMessageImage,
  storeNoticePicture,
  storeProcessedIcon,
  releaseMedia,
  unhideMedia,
} from "./files.ts";
export { differenceOf, hashStoredPicture, listStoredHashes, type StoredHash } from "./picture-hashes.ts";
export { previewIcon } from "./preview.ts";
