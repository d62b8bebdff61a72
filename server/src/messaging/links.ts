import { domainToASCII } from "node:url";

const INVISIBLE = /[\p{Cf}\u034F\u115F\u1160\u3164]/gu;
const DOT = /\s?[[({<]\s?(?:\.|dot|点|點|ドット)\s?[\])}>]\s?|\sdot\s/g;
/** Before Latin letters it is a dot, otherwise the end of a sentence. */
const FULL_STOP = /[。｡](?=[a-z])/g;
const SCHEME = /\bh\s?(?:tt|xx|\*\*)\s?ps?\s?:\s?[/\\]{1,2}/g;

const PORT_AND_PATH = String.raw`(?::\d+)?(/[^\s/?#<>"']*)?`;
const WITH_SCHEME = new RegExp(
  String.raw`(?:https?://|www\.)(?:[^\s/@]*@)?([^\s/?#:@<>"']+)${PORT_AND_PATH}`,
  "gu",
);
/** Chinese and Japanese need no space around a host. */
const ALPHABETS = String.raw`\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}\p{N}`;
const ASCII_HOST = new RegExp(
  String.raw`(?<![${ALPHABETS}.-])((?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+(?:xn--[a-z0-9-]+|[a-z]{2,24}))(?![${ALPHABETS}])${PORT_AND_PATH}`,
  "gu",
);
const LABEL = String.raw`[\p{L}\p{N}](?:[\p{L}\p{M}\p{N}-]{0,61}[\p{L}\p{M}\p{N}])?`;
const UNICODE_HOST = new RegExp(
  String.raw`(?<![\p{L}\p{N}.-])((?:${LABEL}\.)+[\p{L}\p{M}]{2,24})(?![\p{L}\p{N}])${PORT_AND_PATH}`,
  "gu",
);

const ENDINGS = new Set(
  `com net org info biz app dev xyz top site online store shop club live link click vip win bet casino icu cyou buzz
   work space website tech pro fun one life chat date dating love sex porn adult cam webcam tv fm gg cc ws tk ml ga cf gq
   jp tw cn hk kr sg my vn th ph uk de fr ru ua pl nl eu ca au nz br mx io ai co ly gl gd page lol mobi asia name
   中国 中國 台湾 台灣 香港 公司 网络 網絡 在线 コム みんな 世界 닷컴 рф`.split(/\s+/),
);
/** Ordinary words too, so only before a path. */
const ENDINGS_WITH_PATH = new Set(
  `me so to is it in us at be am no do as by ee la gs st sh im id al re ac`.split(" "),
);

/**
 * A link is the host in ASCII and the first segment of the path. Obfuscated links count too, such as `example[.]com`.
 */
export function findLinks(text: string): string[] {
  const links = new Set<string>();
  let rest = text
    .normalize("NFKC")
    .toLowerCase()
    .replaceAll(INVISIBLE, "")
    .replaceAll(DOT, ".")
    .replaceAll(FULL_STOP, ".")
    .replaceAll(SCHEME, "https://");
  const take = (pattern: RegExp, isLink: (host: string, path: string) => boolean) => {
    rest = rest.replaceAll(pattern, (found: string, host: string, path = "") => {
      if (!isLink(host, path)) return found;
      links.add(normalizeLink(host, path));
      return " ";
    });
  };
  take(WITH_SCHEME, () => true);
  take(ASCII_HOST, hasKnownEnding);
  take(UNICODE_HOST, hasKnownEnding);
  return [...links].toSorted();
}

function hasKnownEnding(host: string, path: string): boolean {
  const ending = host.slice(host.lastIndexOf(".") + 1);
  return (
    ending.startsWith("xn--") || ENDINGS.has(ending) || (path.length > 1 && ENDINGS_WITH_PATH.has(ending))
  );
}

function normalizeLink(host: string, path: string): string {
  const named = host.replace(/^www\./, "").replace(/[.,;:!?)\]}'"]+$/, "");
  return (domainToASCII(named) || named) + path.replace(/[/.,;:!?)\]}'"]+$/, "");
}
