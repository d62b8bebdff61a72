export { clearIconUrl, iconUrl, mediaIdOfIcon, messageFileUrl } from "./signed-urls.ts";
export { isWav } from "./encoding/voice-note.ts";
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
  storeVoiceNote,
  releaseMedia,
  unhideMedia,
} from "./files.ts";
export { differenceOf, hashStoredPicture, listStoredHashes, type StoredHash } from "./picture-hashes.ts";
export { previewIcon } from "./preview.ts";
