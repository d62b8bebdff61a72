import type { Call } from "./call.ts";
import * as accounts from "./accounts.ts";
import * as ageCheck from "./age-check.ts";
import * as consent from "./consent.ts";
import * as cases from "./cases.ts";
import * as contact from "./contact.ts";
import * as discovery from "./discovery.ts";
import * as help from "./help.ts";
import * as looks from "./looks.ts";
import * as membership from "./membership.ts";
import * as messaging from "./messaging.ts";
import * as notifications from "./notifications.ts";
import * as passwords from "./passwords.ts";
import * as profiles from "./profiles.ts";
import * as referral from "./referral.ts";
import * as safety from "./safety.ts";

export * from "./call.ts";
export * from "./costs.ts";
export * from "./errors.ts";

/** Every call. Calls that share a URL are tried in this order. */
export const calls: readonly Call[] = [
  accounts.botChallenge,
  accounts.requestSignUpCode,
  accounts.checkSignUpCode,
  accounts.register,
  accounts.previewSignUpIcon,
  accounts.createLoginCode,
  accounts.logIn,
  accounts.logInWithCode,
  accounts.socialAccountExists,
  accounts.readSocialAccount,
  accounts.logInSocially,
  accounts.refreshTokens,
  accounts.logOut,
  accounts.getOwnUser,
  accounts.confirmPassword,
  accounts.deleteAccount,
  accounts.getWsTicket,
  accounts.getExportTicket,
  accounts.exportData,
  accounts.getSessions,
  accounts.endSession,
  accounts.endOtherSessions,
  consent.getConsent,
  consent.giveConsent,
  ageCheck.getAgeCheck,
  ageCheck.sendAgeCheck,
  passwords.requestResetCode,
  passwords.checkResetCode,
  passwords.resetPassword,
  discovery.saveLocationPrecision,
  discovery.saveLocation,
  passwords.changePassword,
  profiles.saveFilter,
  profiles.saveVisibility,
  profiles.saveProfile,
  profiles.addPicture,
  profiles.changePicture,
  profiles.orderPictures,
  profiles.removePicture,
  profiles.previewIcon,
  discovery.getPlaceAdvice,
  discovery.getOptions,
  discovery.likeUser,
  discovery.passUser,
  discovery.neverAgain,
  discovery.undoPass,
  discovery.getLikes,
  discovery.takeBackLike,
  discovery.getUser,
  discovery.unmatch,
  discovery.getClearIconViewers,
  discovery.showClearIcon,
  discovery.hideClearIcon,
  messaging.getLastDms,
  messaging.removeEnded,
  messaging.getDms,
  messaging.sendDm,
  messaging.readDm,
  messaging.muteConversation,
  messaging.saveConversation,
  messaging.getReading,
  messaging.saveReading,
  messaging.showTyping,
  messaging.unsendDm,
  notifications.getNotifications,
  notifications.saveNotifications,
  notifications.subscribeNativePush,
  notifications.subscribePush,
  notifications.unsubscribeNativePush,
  notifications.unsubscribePush,
  notifications.sawNews,
  notifications.endLetters,
  safety.blockUser,
  safety.unblockUser,
  safety.getBlocks,
  safety.reportUser,
  cases.getCase,
  cases.appealCase,
  cases.getReports,
  cases.contestReport,
  safety.getNeverSee,
  safety.addNeverSee,
  safety.removeNeverSee,
  membership.createOrder,
  membership.captureOrder,
  membership.getOrder,
  membership.getOrders,
  membership.getReceipt,
  membership.getRegions,
  membership.previewWithdrawal,
  membership.withdraw,
  membership.checkCoupon,
  membership.useCoupon,
  referral.getBrokerageFee,
  referral.getTransfers,
  referral.transferBrokerage,
  contact.contactSupport,
  looks.getLooks,
  help.getHelp,
  help.askHelp,
];
