/**
 * The most frequent words of leaked password lists, in our members' languages.
 */
const WORDS = new Set(
  `password passwort passwd pass pwd motdepasse contrasena senha parola haslo mima mimamima pasuwado himitsu secret
  secure security letmein letmeinnow welcome welcomeback changeme changethis default guest admin administrator root
  superuser master login logon signin access account user username test tester testing testtest testpass temp
  temporary demo sample example qwerty qwertz azerty dvorak asdf zxcv abc abcd abcde abcdef iloveyou iloveu ilu
  iloveme loveyou lovely lover lovers loveme love lovelove forever foreverlove always together sweet sweetie
  sweetheart darling honey honeybee baby babygirl babyboy babydoll angel angels princess prince queen king kingdom
  beautiful pretty cutie gorgeous handsome sexy sexygirl sexyboy hottie kiss kisses kissme hello helloworld hellohello
  hellokitty goodbye bonjour konnichiwa ohayou arigato arigatou sayonara daisuki aishiteru sakura sakurasaku fujisan
  nihon nippon japan tokyo osaka kyoto yokohama nagoya sapporo doraemon pikachu pokemon totoro naruto onepiece
  dragonball dragon dragons monkey donkey tiger tigers lion lions eagle eagles falcon falcons bear bears wolf wolves
  panda kitty kitten cat dog doggie puppy bunny rabbit turtle dolphin dolphins shark horse pony butterfly ladybug
  spider snake phoenix unicorn flower flowers rose roses daisy lily jasmine sunflower orchid garden rainbow sunshine
  sunrise sunset moonlight moon star stars starlight starwars startrek galaxy universe earth world planet heaven
  heavenly paradise summer winter spring autumn january february march april may june july august september october
  november december monday tuesday wednesday thursday friday saturday sunday christmas holiday happy happyday
  happiness smile smiley lucky luckyday blessed blessing jesus jesuschrist christ god godisgood godislove faith hope
  trustno trustnoone whatever nothing something everything anything nobody somebody freedom liberty peace victory
  winner champion champions legend legends hero heroes batman superman spiderman ironman wonderwoman avengers marvel
  thor hulk joker harley gandalf frodo merlin matrix neo mustang ferrari porsche mercedes corvette camaro harleydavidson
  yamaha honda toyota nissan suzuki ducati chevy chevrolet football soccer baseball basketball hockey tennis golf
  golfer rugby cricket volleyball swimming skater skateboard snowboard surfer fishing hunter hunting ranger rangers
  yankees dodgers lakers chelsea arsenal liverpool barcelona realmadrid manchester united manchesterunited juventus
  cowboys steelers packers patriots raiders redsox warriors giants pirate pirates ninja samurai shogun katana warrior
  soldier killer killers shadow shadows phantom ghost vampire zombie demon devil lucifer hunter metallica nirvana
  slipknot eminem beatles michael jackson jordan jordans kobe ronaldo messi beckham daniel david andrew anthony
  thomas matthew joshua christian christopher nicholas benjamin alexander alexandra alexis william charlie charles
  george robert richard james jason justin brandon austin taylor tyler samantha jessica jennifer michelle melissa
  amanda ashley nicole stephanie elizabeth victoria vanessa natasha natalie danielle chelsea hannah madison maggie
  molly buster bailey cookie cookies chocolate vanilla strawberry banana orange apple cherry peach pepper ginger
  coffee cheese pizza chicken hamburger burger pasta sushi ramen sake beer whiskey vodka tequila computer internet
  windows microsoft google facebook instagram twitter youtube amazon apple iphone android samsung nokia sony nintendo
  playstation xbox gamer gaming minecraft fortnite roblox warcraft starcraft diablo counterstrike callofduty
  assassin hacker hacking cisco oracle linux ubuntu server network router wireless wifi database system money
  moneymoney million millionaire billionaire dollar dollars business office company manager director boss family
  mother father mommy mummy daddy mama papa sister brother friend friends bestfriend bestfriends friendship wife
  husband marriage married wedding anniversary son daughter children kids mylove mylife mybaby myfamily myself
  onlyme itsme imthebest thebest number one numberone cool awesome amazing fantastic perfect special crystal diamond
  diamonds silver golden platinum purple yellow blue bluesky redrose green black blackcat white pink orange violet
  america american canada mexico brasil brazil argentina england london paris france germany berlin italia italy
  spain russia moscow china beijing shanghai hongkong taiwan taipei woaini woaini woaiwojia nihao zhongguo aini baobei
  laopo laogong korea seoul india australia sydney melbourne newyork losangeles california florida texas chicago
  boston dallas hawaii alaska vegas lasvegas hollywood broadway matchmaking alcove`.split(/\s+/),
);

const ROWS = [
  "1234567890-=",
  "0987654321",
  "qwertyuiop[]",
  "qwertzuiop",
  "azertyuiop",
  "asdfghjkl;'",
  "zxcvbnm,./",
  "abcdefghijklmnopqrstuvwxyz",
  "1qaz2wsx3edc4rfv5tgb6yhn7ujm8ik,9ol.0p;/",
  "qazwsxedcrfvtgbyhnujmikolp",
  "zaqxswcdevfrbgtnhymjukilop",
  "zaq12wsxcde34rfvbgt56yhnmju78ik,lo90p;/",
  "1q2w3e4r5t6y7u8i9o0p",
  "q1w2e3r4t5y6u7i8o9p0",
  "1a2b3c4d5e6f7g8h9i",
  "a1b2c3d4e5f6g7h8i9",
  "147258369",
  "159357",
  "789456123",
  "741852963",
].flatMap((row) => [row, row.split("").toReversed().join("")]);

/** `password` is in lower case. */
export function isWorstPassword(password: string): boolean {
  const unit = unitOf(password);
  const once = password.replaceAll(/(.)\1+/gu, "$1");
  if (unit.length <= 4 || once.length <= 4 || isWalk(unit) || isWalk(once) || isWord(unit)) return true;
  const letters = password.replaceAll(/[^a-z]+$|^[^a-z]+/g, "");
  const rest = password.replace(letters, "");
  if (isWalk(rest) && (letters.length <= 2 || isWord(letters))) return true;
  return rest.length <= 5 && (isWord(letters) || (letters.length >= 3 && isWalk(letters)));
}

/** Returns the repeated part: `ab` for `abab`, or all of the password. */
function unitOf(password: string): string {
  const again = (password + password).indexOf(password, 1);
  return password.slice(0, again);
}

/** A run along the keyboard, the alphabet or the digits, or two of them. */
function isWalk(text: string): boolean {
  for (let end = 3; end <= text.length; end++) {
    const isRun = ROWS.some((row) => (row + row).includes(text.slice(0, end)));
    if (!isRun) return false;
    const rest = unitOf(text.slice(end));
    if (rest.length === 0 || rest.length === 1 || ROWS.some((row) => row.includes(rest))) return true;
  }
  return false;
}

function isWord(text: string): boolean {
  if (WORDS.has(text)) return true;
  const spelt = (one: string) =>
    text
      .replaceAll("0", "o")
      .replaceAll(/[1!|]/g, one)
      .replaceAll("3", "e")
      .replaceAll(/[4@]/g, "a")
      .replaceAll(/[5$]/g, "s")
      .replaceAll(/[7+]/g, "t")
      .replaceAll(/[-_.\s]/g, "");
  return [spelt("i"), spelt("l")].some((word) => WORDS.has(word) || WORDS.has(unitOf(word)));
}
