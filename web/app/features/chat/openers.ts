import { lengthOf } from "@alcove/contract/text-rules";
import type { PublicUser } from "@alcove/contract/users";
import type { Language, Translations } from "@alcove/i18n";

type Topic = Exclude<keyof Translations["openers"], "hobby">;

/** A question about a topic, or about a hobby that no topic has. */
export type Opener =
  | { readonly key: Topic; readonly hobby: null }
  | { readonly key: "hobby"; readonly hobby: string };

const OPENERS_MAX = 2;
const HOBBY_MAX = 24;

/** Topics of hobbies and introductions, in all languages. */
const SUBJECTS = {
  coffee: /\bcoffee|\bcaf[eé]s?\b|espresso|コーヒー|珈琲|喫茶|カフェ|咖啡/iu,
  tea: /\btea\b|お茶|紅茶|緑茶|喝茶|茶馆|茶館|、茶|泡茶/iu,
  baking: /\bbak(?:e|ing)\b|焼き菓子|お菓子作り|パン作り|烘焙/iu,
  bakery: /\bbaker(?:y|ies)\b|\bbread\b|\bcakes?\b|パン|ケーキ|面包|麵包|蛋糕/iu,
  cooking: /\bcook(?:ing|s|books?)?\b|\bsoups?\b|\bcurry\b|料理|カレー|做饭|做菜|下廚|下厨|煮飯|滷肉/iu,
  eating:
    /\bdinners?\b|\blunch(?:es)?\b|\brestaurants?\b|グルメ|食事|食べ歩き|下馆子|饭搭子|面馆|吃饭|吃飯|夜市|美食/iu,
  garden:
    /\bgarden(?:s|ing)?\b|\btomatoes\b|\bvegetables\b|\bplants?\b|庭いじり|家庭菜園|園芸|花屋|、花|植物|养花|養花|种花|種花|花草|園藝|园艺|荷花|なすび/iu,
  singing: /\bchoirs?\b|\bsing(?:ing)?\b|合唱|カラオケ|唱歌/iu,
  playing:
    /\bcello\b|\bguitar\b|\bpiano\b|\bviolin\b|\bbass\b|ベース|ギター|ピアノ|バイオリン|古琴|吉他|钢琴|鋼琴|提琴/iu,
  music: /\bmusic\b|\bconcerts?\b|\bsongs?\b|音楽|ライブ|コンサート|音乐|音樂|演唱会|演唱會|听琴|聽琴/iu,
  swimming: /\bswim(?:ming|s)?\b|水泳|泳ぐ|游泳/iu,
  hills: /\bhik(?:e|es|ing)\b|\bhills?\b|\bmountains?\b|登山|山歩き|山登り|爬山|徒步/iu,
  running: /\brunn(?:ing|er)\b|\bjogging\b|ランニング|ジョギング|跑步|慢跑/iu,
  cycling: /\bcycl(?:e|ing)\b|\bbik(?:es?|ing)\b|自転車|サイクリング|骑行|骑车|騎單車|騎車|單車/iu,
  walking: /\bwalk(?:s|ing)?\b|散歩|散步|慢慢走|街歩き|商店街/iu,
  books:
    /\bbooks?\b|\breading\b|\bnovels?\b|\bpoe(?:try|ms?)\b|読書|本屋|小説|讀詩|读诗|看书|看書|阅读|閱讀|二手書|书店|書店/iu,
  photographs: /\bphotograph(?:y|s)?\b|写真|摄影|攝影|胶片/iu,
  films: /\bfilms?\b|\bmovies?\b|\bcinema\b|映画|电影|電影/iu,
  stage: /\btheat(?:re|er)\b|演劇|芝居|落語|寄席|劇場|剧场|话剧|話劇/iu,
  art: /\bmuseums?\b|\bexhibitions?\b|\bpaint(?:ing|ings)?\b|\bsketch(?:es|ing)?\b|\bdrawing\b|美術館|展覧会|絵を|美术馆|展览|展覽|画画|畫畫/iu,
  making:
    /\bceramics?\b|\bpottery\b|\bknit(?:ting)?\b|\bsew(?:ing)?\b|編みもの|編み物|陶芸|手芸|裁縫|陶藝|陶艺|縫紉|缝纫|编织|編織/iu,
  mending: /\bold (?:radios?|furniture|clocks?)\b|\bwoodwork|\brestor(?:e|ing)\b|木工|DIY|修旧东西|修理/iu,
  games: /\bboard games?\b|\bchess\b|\bcards\b|ゲーム|将棋|囲碁|桌遊|桌游|围棋|圍棋|象棋/iu,
  dogs: /\bdogs?\b|犬|わんこ|狗/iu,
  cats: /\bcats?\b|猫|貓/iu,
  travel: /\btravel(?:s|ling|ing)?\b|\btrips?\b|\btrains?\b|\bmaps?\b|旅|電車|鉄道|火车|火車|公車|公交/iu,
  baths: /\bhot springs?\b|\bsaunas?\b|温泉|銭湯|湯上がり|サウナ|泡汤|泡湯|溫泉/iu,
  fishing: /\bfishing\b|釣り|钓鱼|釣魚/iu,
  sea: /\bsea\b|\bsailing\b|\bbeach(?:es)?\b|海辺|海を|海が|海边|海邊/iu,
  radio: /\bradio\b|\bpodcasts?\b|ラジオ|播客|电台|電台/iu,
  dancing: /\bdanc(?:e|ing)\b|\btango\b|ダンス|踊|跳舞|舞蹈/iu,
  wine: /\bwines?\b|\bwhisky\b|\bsake\b|ワイン|日本酒|ウイスキー|红酒|紅酒|葡萄酒|威士忌/iu,
  stars: /\bstars?\b|\bastronomy\b|星空|天体|天文|看星/iu,
  sports:
    /\btennis\b|\bgolf\b|\bfootball\b|\bbaseball\b|テニス|ゴルフ|サッカー|野球|网球|網球|高尔夫|高爾夫|羽毛球|羽球|棒球|足球/iu,
  yoga: /\byoga\b|\bpilates\b|ヨガ|ピラティス|瑜伽|瑜珈/iu,
  nights: /\bquiet (?:evenings?|nights?)\b|静かな夜|安静的晚上|安靜的晚上|安静的夜|安靜的夜/iu,
} satisfies Partial<Record<Topic, RegExp>>;

/** Words of nearly every introduction: topics only of a person's hopes. */
const HOPES = {
  letters: /\bletters\b|\bcorrespondence\b|\bwrite to\b|手紙|万年筆|读信|讀信|写信|寫信|写字|寫字/iu,
  laughing: /\blaughs?\b|笑|しょうもない/iu,
  day: /\bmy day\b|\bend of the day\b|今日あったこと|我的一天|每天|晚安/iu,
  talking:
    /\btalk\b|\bconversations?\b|\bconfide\b|\btelling\b|\bwords\b|話|おしゃべり|聊|唠嗑|說話|说话|说上话|知心|把話說完|心事/iu,
  evening: /\bfriendship\b|\bcompany\b|\bunhurried\b|穏やか|急がない|ゆっくり|陪伴|細水長流|不急|輕鬆/iu,
} satisfies Record<Exclude<Topic, keyof typeof SUBJECTS>, RegExp>;

/** Returns up to two questions about a person's hobby, hopes or introduction; none without a topic. */
export function openersOf(
  { description, hobby, purpose }: Pick<PublicUser, "description" | "hobby" | "purpose">,
  language: Language,
): Opener[] {
  const text = [hobby, purpose, description].filter(Boolean).join("\n");
  const topics = [
    topicsIn(hobby, SUBJECTS)[0] ?? ownHobby(hobby, text, language),
    topicsIn(purpose, SUBJECTS)[0] ?? topicsIn(purpose, HOPES)[0],
    ...topicsIn(hobby, SUBJECTS),
    ...topicsIn(description, SUBJECTS),
  ].filter((found) => found !== undefined);
  const distinct = new Map(topics.map((opener) => [opener.key, opener]));
  return [...distinct.values()].slice(0, OPENERS_MAX);
}

/** In the order of the text. */
function topicsIn(text: string | null, patterns: Partial<Record<Topic, RegExp>>): Opener[] {
  if (text === null) return [];
  return Object.entries(patterns)
    .map(([key, pattern]) => ({ key: key as Topic, hobby: null, at: text.search(pattern) }))
    .filter(({ at }) => at >= 0)
    .sort((one, other) => one.at - other.at)
    .map(({ key }) => ({ key, hobby: null }));
}

/** Asks in the member's language only if the other writes it. */
function ownHobby(hobby: string | null, text: string, language: Language): Opener | undefined {
  const [first = ""] = (hobby ?? "").split(/[,;/\n、，；。.!?！？（(]/u).map((part) => part.trim());
  if (first === "" || lengthOf(first) > HOBBY_MAX || scriptOf(text) !== scripts[language]) return undefined;
  return { key: "hobby", hobby: inSentence(first) };
}

const scripts = { en: "latin", ja: "kana", "zh-hans": "han", "zh-hant": "han" } as const;

function scriptOf(text: string): "latin" | "kana" | "han" {
  if (/[\p{Script=Hiragana}\p{Script=Katakana}]/u.test(text)) return "kana";
  return /\p{Script=Han}/u.test(text) ? "han" : "latin";
}

/** A large first letter means the start of a field, unless more follow, as in names. */
function inSentence(words: string): string {
  return /^\p{Lu}\P{Lu}*$/u.test(words) && !PROPER.test(words)
    ? words.slice(0, 1).toLocaleLowerCase() + words.slice(1)
    : words;
}

const PROPER = /^(?:Go|\w+(?:ese|ish|ian|ean|ench|man|hai))\b/u;
