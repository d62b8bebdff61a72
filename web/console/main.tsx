import "../app/ui/styles/global.css";
import { createRoot } from "react-dom/client";
import { createBrowserRouter, redirect, RouterProvider } from "react-router";
import { keepDropsOnPage } from "../app/ui/drops.ts";
import { languageOf } from "./texts/use-texts.ts";
import { Frame, loadOperator, LoadError, Root } from "./frame.tsx";
import {
  AgeCheckScreen,
  AgeChecksScreen,
  decideCheck,
  loadAgeCheck,
  loadAgeChecks,
} from "./screens/age-checks.tsx";
import {
  CorrectionScreen,
  CorrectionsScreen,
  handleCorrection,
  loadCorrection,
  loadCorrections,
} from "./screens/corrections.tsx";
import { ApprovalsScreen, decideRequest, loadRequests } from "./screens/approvals.tsx";
import { CaseScreen, decide, loadCase } from "./screens/case.tsx";
import { CasesScreen, loadCases } from "./screens/cases.tsx";
import { changeCoupons, CouponsScreen, loadCoupons } from "./screens/coupons.tsx";
import { EnrolScreen } from "./screens/enrol.tsx";
import { HelpScreen, loadHelp } from "./screens/help.tsx";
import { loadThread, replyToThread, ThreadScreen } from "./screens/help-thread.tsx";
import { LogScreen, loadLog } from "./screens/log.tsx";
import { LoginScreen } from "./screens/login.tsx";
import {
  decideMailbox,
  loadMailbox,
  loadMailboxes,
  MailboxesScreen,
  MailboxScreen,
} from "./screens/mailboxes.tsx";
import { handleMember, MemberScreen } from "./screens/member.tsx";
import { changePasskeys, loadPasskeys, PasskeysScreen } from "./screens/passkeys.tsx";
import { changePayments, loadPayments, PaymentsScreen } from "./screens/payments.tsx";
import { loadStatistics, StatisticsScreen } from "./screens/statistics.tsx";
import { decidePicture, loadPictures, PicturesScreen } from "./screens/pictures.tsx";
import loadingStyles from "../app/ui/loading.module.css";

const deviceLanguage = () => languageOf(navigator.language.slice(0, 2));

const router = createBrowserRouter([
  { path: "/", loader: () => redirect(`/${deviceLanguage()}`) },
  // A link of `operators add`; the token stays behind `#`.
  { path: "/enrol", loader: () => redirect(`/${deviceLanguage()}/enrol${location.hash}`) },
  {
    path: "/:lang",
    element: <Root />,
    hydrateFallbackElement: <span className={loadingStyles.spinner} aria-hidden="true" />,
    errorElement: <LoadError />,
    children: [
      { path: "login", element: <LoginScreen /> },
      { path: "enrol", element: <EnrolScreen /> },
      {
        id: "operator",
        loader: loadOperator,
        shouldRevalidate: () => false,
        element: <Frame />,
        children: [
          { index: true, loader: ({ params }) => redirect(`/${languageOf(params["lang"])}/cases`) },
          {
            errorElement: <LoadError />,
            children: [
              { path: "cases", loader: loadCases, element: <CasesScreen /> },
              {
                path: "cases/:id",
                loader: loadCase,
                action: decide,
                shouldRevalidate: ({ formAction, defaultShouldRevalidate }) =>
                  formAction === undefined && defaultShouldRevalidate,
                element: <CaseScreen />,
              },
              { path: "pictures", loader: loadPictures, action: decidePicture, element: <PicturesScreen /> },
              { path: "help", loader: loadHelp, element: <HelpScreen /> },
              {
                path: "help/:id",
                loader: loadThread,
                action: replyToThread,
                element: <ThreadScreen />,
              },
              { path: "age-checks", loader: loadAgeChecks, element: <AgeChecksScreen /> },
              {
                path: "age-checks/:id",
                loader: loadAgeCheck,
                action: decideCheck,
                shouldRevalidate: ({ formAction, defaultShouldRevalidate }) =>
                  formAction === undefined && defaultShouldRevalidate,
                element: <AgeCheckScreen />,
              },
              { path: "corrections", loader: loadCorrections, element: <CorrectionsScreen /> },
              {
                path: "corrections/:id",
                loader: loadCorrection,
                action: handleCorrection,
                shouldRevalidate: ({ formAction, defaultShouldRevalidate }) =>
                  formAction === undefined && defaultShouldRevalidate,
                element: <CorrectionScreen />,
              },
              { path: "mailboxes", loader: loadMailboxes, element: <MailboxesScreen /> },
              {
                path: "mailboxes/:id",
                loader: loadMailbox,
                action: decideMailbox,
                shouldRevalidate: ({ formAction, defaultShouldRevalidate }) =>
                  formAction === undefined && defaultShouldRevalidate,
                element: <MailboxScreen />,
              },
              { path: "member", action: handleMember, element: <MemberScreen /> },
              { path: "coupons", loader: loadCoupons, action: changeCoupons, element: <CouponsScreen /> },
              { path: "payments", loader: loadPayments, action: changePayments, element: <PaymentsScreen /> },
              {
                path: "approvals",
                loader: loadRequests,
                action: decideRequest,
                element: <ApprovalsScreen />,
              },
              { path: "statistics", loader: loadStatistics, element: <StatisticsScreen /> },
              { path: "passkeys", loader: loadPasskeys, action: changePasskeys, element: <PasskeysScreen /> },
              { path: "log", loader: loadLog, element: <LogScreen /> },
            ],
          },
        ],
      },
    ],
  },
]);

keepDropsOnPage();

// A page that returns from the browser's memory would show content of an ended session.
window.addEventListener("pageshow", ({ persisted }) => {
  if (persisted) location.reload();
});

createRoot(document.getElementById("console")!).render(<RouterProvider router={router} />);
