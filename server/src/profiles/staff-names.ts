import unhomoglyph from "unhomoglyph";
import { replaceLookAlikes } from "@alcove/contract/fields";

const words = (list: string): string[] => list.trim().split(/\s+/);

/** Each is enough: official, support, staff, customer service. */
const STAFF = words(`
  admin admins administrator administrators administration moderator moderators support staff official
  helpdesk webmaster postmaster sysadmin customerservice customercare
  公式 サポート スタッフ 管理者 運営者 運営元 運営会社 運営事務局 運営チーム カスタマーサービス カスタマーセンター
  お客様センター お客様窓口 ヘルプデスク モデレーター モデレータ アドミン
  官方 客服 版主 站长 站長 管理员 管理員 工作人员 工作人員 客户服务 客戶服務 技术支持 技術支援
  运营团队 運營團隊 營運團隊`);

/** Not enough beside other words: "Security guard". */
const ROLES = words(`
  team service services system security operator operators help info information billing account accounts
  moderation management operations customer verification verified desk center centre site website app platform
  user users member members
  運営 事務局 管理人 管理 窓口 お客様 顧客 カスタマー センター システム セキュリティ チーム サービス サイト アプリ 担当
  担当者 係 オペレーター ヘルプ 本部 認証済み 本人確認
  运营 運營 營運 团队 團隊 系统 系統 安全 中心 平台 网站 網站 服务 服務 通知 助手 小助手 专员 專員 客户 客戶 人员
  人員 认证 認證 已认证 已認證 用户 用戶 账号 帳號`);

const FILLERS = words("the of your our from and の より です さん 的 是 我是 我们 我們");

const STAFF_WORDS = folded(STAFF);
const ROLE_WORDS = folded([...STAFF, ...ROLES]);
const ALL_WORDS = folded([...STAFF, ...ROLES, ...FILLERS]);
const ONLY_ROLES = folded(ROLES);
const ONLY_FILLERS = folded(FILLERS);
const LONGEST_WORD = Math.max(...Array.from(ALL_WORDS, ({ length }) => length));

/** Shorter ones may be part of a name. */
const BRAND_PART_MIN = 4;
const CHECK_MARK = /[\u2705\u2713\u2714\u2611\u{1F5F8}\u{1F5F9}]/u;
const SYMBOLS: Readonly<Record<string, string>> = { "@": "a", $: "s", "!": "i", "|": "l", "€": "e" };

const segmenter = new Intl.Segmenter("ja", { granularity: "word" });

export function looksLikeStaff(name: string, brandName: string): boolean {
  if (CHECK_MARK.test(name)) return true;
  // As look-alikes (`adm1n`), and after a word (`support24`).
  return [name, name.replaceAll(/\p{N}/gu, " ")].some((spelling) => {
    const parts = splitWords(spelling).map(fold).filter(Boolean);
    const whole = parts.join("");
    const brand = fold(brandName);
    return (
      (brand.length >= BRAND_PART_MIN && whole.includes(brand)) ||
      runsOf(parts).some((run) => run === brand || STAFF_WORDS.has(run)) ||
      parts.some((part) => consistsOf(part, ROLE_WORDS) && !consistsOf(part, ONLY_ROLES)) ||
      (consistsOf(whole, ALL_WORDS) && !consistsOf(whole, ONLY_FILLERS))
    );
  });
}

/** By dictionary: 上官方圆 has no word 官方. */
function splitWords(name: string): string[] {
  const plain = name
    .normalize("NFKC")
    .replaceAll(/[\p{M}\p{Default_Ignorable_Code_Point}]/gu, "")
    .replaceAll(/[@$!|€]/g, (symbol) => SYMBOLS[symbol]!)
    .replaceAll(/(\p{Ll})(?=\p{Lu})/gu, "$1 ")
    .replaceAll(/[^\p{L}\p{N}]+/gu, " ");
  return Array.from(segmenter.segment(plain), ({ segment }) => segment.trim());
}

function fold(word: string): string {
  const katakana = word.replaceAll(/[ぁ-ゖ]/g, (kana) => String.fromCodePoint(kana.codePointAt(0)! + 0x60));
  const base = unhomoglyph(katakana.normalize("NFKD").toLowerCase()).normalize("NFKD").toLowerCase();
  return replaceLookAlikes(base.replaceAll(/[^\p{L}\p{N}]/gu, ""));
}

function folded(list: readonly string[]): ReadonlySet<string> {
  return new Set(list.map(fold));
}

function runsOf(parts: readonly string[]): string[] {
  return parts.flatMap((_, at) => {
    const runs: string[] = [];
    let run = "";
    for (const part of parts.slice(at)) {
      run += part;
      if (run.length > LONGEST_WORD) break;
      runs.push(run);
    }
    return runs;
  });
}

function consistsOf(text: string, list: ReadonlySet<string>): boolean {
  const isReached = [true];
  for (let end = 1; end <= text.length; end++) {
    isReached[end] = false;
    for (let start = Math.max(0, end - LONGEST_WORD); start < end && !isReached[end]; start++)
      isReached[end] = isReached[start]! && list.has(text.slice(start, end));
  }
  return text !== "" && isReached[text.length]!;
}
