export { approveReview, findReview, listReviews, type PictureReview } from "./picture-reviews.ts";
export { raiseReview } from "./picture-reviews.sql.ts";
export { countSameNetwork, isWaiting, listSameNetwork, shareNetwork } from "./sign-up-networks.ts";
