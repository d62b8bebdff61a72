import { domainToASCII } from "node:url";

/** Letters that are not seen: they hide a link from a reader of text, never from a member. */
const UNSEEN = /[\p{Cf}\u034F\u115F\u1160\u3164]/gu;
/** What stands for a dot in ways that people read and programs do not. */
const DOT = /\s?[[({<]\s?(?:\.|dot|点|點|ドット)\s?[\])}>]\s?|\sdot\s/g;
/** A full stop of Chinese or Japanese is a dot where letters of an address follow; else it ends a sentence. */
const FULL_STOP = /[。｡](?=[a-z])/g;
const SCHEME = /\bh\s?(?:tt|xx|\*\*)\s?ps?\s?:\s?[/\\]{1,2}/g;

const PORT_AND_PATH = String.raw`(?::\d+)?(/[^\s/?#<>"']*)?`;
/** With a scheme or `www.` in front any host is one, numbers too. */
const MARKED = new RegExp(
  String.raw`(?:https?://|www\.)(?:[^\s/@]*@)?([^\s/?#:@<>"']+)${PORT_AND_PATH}`,
  "gu",
);
/** Without one, only what ends like addresses do. Chinese and Japanese write it between their words without a space. */
const ALPHABETS = String.raw`\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}\p{N}`;
const PLAIN = new RegExp(
  String.raw`(?<![${ALPHABETS}.-])((?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+(?:xn--[a-z0-9-]+|[a-z]{2,24}))(?![${ALPHABETS}])${PORT_AND_PATH}`,
  "gu",
);
const LABEL = String.raw`[\p{L}\p{N}](?:[\p{L}\p{M}\p{N}-]{0,61}[\p{L}\p{M}\p{N}])?`;
const NATIONAL = new RegExp(
  String.raw`(?<![\p{L}\p{N}.-])((?:${LABEL}\.)+[\p{L}\p{M}]{2,24})(?![\p{L}\p{N}])${PORT_AND_PATH}`,
  "gu",
);

const ENDINGS = new Set(
  `com net org info biz app dev xyz top site online store shop club live link click vip win bet casino icu cyou buzz
   work space website tech pro fun one life chat date dating love sex porn adult cam webcam tv fm gg cc ws tk ml ga cf gq
   jp tw cn hk kr sg my vn th ph uk de fr ru ua pl nl eu ca au nz br mx io ai co ly gl gd page lol mobi asia name
   中国 中國 台湾 台灣 香港 公司 网络 網絡 在线 コム みんな 世界 닷컴 рф`.split(/\s+/),
);
/** Words of a language as well: links where a path follows. */
const ENDINGS_WITH_PATH = new Set(
  `me so to is it in us at be am no do as by ee la gs st sh im id al re ac`.split(" "),
);

/**
 * The links in a text, one spelling for each: host in ASCII and the first step of the path, so that a number behind it
 * makes no other link of it. Finds what is meant to be read by people alone, too: `example[.]com`, `ｅｘａｍｐｌｅ。com`.
 */
export function linksIn(text: string): string[] {
  const links = new Set<string>();
  let rest = text
    .normalize("NFKC")
    .toLowerCase()
    .replaceAll(UNSEEN, "")
    .replaceAll(DOT, ".")
    .replaceAll(FULL_STOP, ".")
    .replaceAll(SCHEME, "https://");
  const take = (pattern: RegExp, isOne: (host: string, path: string) => boolean) => {
    rest = rest.replaceAll(pattern, (found: string, host: string, path = "") => {
      if (!isOne(host, path)) return found;
      links.add(spelling(host, path));
      return " ";
    });
  };
  take(MARKED, () => true);
  take(PLAIN, endsLikeOne);
  take(NATIONAL, endsLikeOne);
  return [...links].toSorted();
}

function endsLikeOne(host: string, path: string): boolean {
  const ending = host.slice(host.lastIndexOf(".") + 1);
  return (
    ending.startsWith("xn--") || ENDINGS.has(ending) || (path.length > 1 && ENDINGS_WITH_PATH.has(ending))
  );
}

function spelling(host: string, path: string): string {
  const named = host.replace(/^www\./, "").replace(/[.,;:!?)\]}'"]+$/, "");
  return (domainToASCII(named) || named) + path.replace(/[/.,;:!?)\]}'"]+$/, "");
}
