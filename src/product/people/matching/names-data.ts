// Names that many people share, and short forms of names. The lists are the same for every tenant;
// nothing is learnt from anybody's data. A name that is absent counts as rare.

import { CHINESE, JAPANESE, KOREAN, VOWELLESS } from './romanizations.ts';
import { consonantsOf, lacksVowels, readingsOf } from './spelling.ts';
import { latinWords } from './transliterate.ts';

function wordsOf(text: string): readonly string[] {
  return text.split(/\s+/).filter(Boolean);
}

/** Surnames that more than about one person in a thousand has somewhere. */
export const COMMON_SURNAMES: ReadonlySet<string> = new Set(
  wordsOf(`
  smith jones williams brown taylor wilson johnson davies davis miller anderson thomas jackson white
  harris martin thompson moore clark clarke lewis robinson walker hall young allen king wright scott
  green baker adams nelson hill campbell mitchell roberts carter phillips evans turner parker
  edwards collins stewart morris murphy cook rogers morgan cooper reed reid bailey bell kelly howard
  ward cox richardson wood watson brooks bennett gray james hughes price myers long foster ross
  ryan webb burns stevens simpson murray ford hamilton graham sullivan wallace west cole jenkins
  perry powell russell marshall mason hunt palmer mills shaw holmes rose stone black knight ellis
  hart fisher grant harvey lee li wang zhang liu chen yang huang zhao wu zhou xu sun ma zhu lin
  nguyen tran le pham kim park choi patel singh kumar sharma khan shah ali ahmed hussain begum
  garcia rodriguez martinez hernandez lopez gonzalez perez sanchez ramirez torres flores rivera
  gomez diaz reyes morales cruz ortiz gutierrez chavez ramos silva santos oliveira souza costa
  pereira ferreira almeida muller schmidt schneider fischer weber meyer wagner becker schulz
  hoffmann koch bauer richter klein wolf rossi russo ferrari esposito bianchi bernard dubois durand
  moreau laurent simon michel petit andersen hansen johansson karlsson nilsson larsen olsen jensen
  nielsen pedersen ivanov smirnov petrov novak kowalski yilmaz kaya demir tanaka suzuki sato
  takahashi watanabe ito yamamoto nakamura kobayashi
`),
);

/** Given names that more than about one person in two hundred has somewhere. */
export const COMMON_GIVEN: ReadonlySet<string> = new Set(
  wordsOf(`
  james john robert michael william david richard joseph thomas charles christopher daniel matthew
  anthony mark paul steven andrew joshua kenneth kevin brian george edward ronald timothy jason
  jeffrey ryan jacob gary nicholas eric jonathan stephen larry justin scott brandon benjamin samuel
  alexander patrick jack dennis peter henry adam nathan lachlan liam noah ethan lucas oliver harry
  luke cooper connor dylan kyle cameron aidan isaac harrison max oscar mary patricia jennifer linda
  elizabeth barbara susan jessica sarah karen lisa nancy margaret sandra ashley emily donna
  michelle carol amanda melissa deborah stephanie rebecca laura sharon kathleen amy angela anna
  emma nicole helen samantha katherine christine rachel maria hannah olivia sophie chloe isabella
  grace ella georgia ruby mia amelia charlotte lily lucy alexandra caitlin madison brianna emiily
  jose juan luis carlos jorge miguel pedro antonio francisco manuel ana carmen rosa mohammed
  muhammad ahmed ali omar hassan fatima aisha wei ming li jing yan hans peter klaus anna marie
  jean pierre philippe giovanni giuseppe marco ivan dmitri sergei elena olga
`),
);

/** Entries, separated by bars; each is one given name in its forms, of which the first leads. */
const GIVEN = `
  alexander alex alec sandy xander alejandro aleksandr sasha alessandro sandro alexandre iskander|
  alexandra alex sandra sandy lexi aleksandra sasha ola alessandra|andrew andy drew andreas andre
  andrei andrzej andres|anthony tony anton antonio antoine antonius|anna ann anne annie anya
  anita annette ania|barbara barb babs basia|benjamin ben benny|catherine katherine kathryn kate
  katie cathy kathy kitty ekaterina katya catalina caterina katharina katarzyna kasia karin
  kaatje|charles charlie chuck carlos karl carlo karel|christopher chris kit christoph cristobal|
  christine christina chris tina kristina cristina krystyna|daniel dan danny danilo|david dave
  davey dawid davide|deborah deb debbie debra|donald don donny|dorothy dot dottie dorothea|edward
  ed eddie ted teddy ned eduardo lalo eduard edouard|elizabeth liz lizzie beth betty eliza libby
  lisa elisabeth isabel elisa elzbieta liesl yelizaveta liza|emily em emmy emilia|eugene gene
  evgeny yevgeny eugenio zhenya|francis frank francisco paco pancho chico francesco franz
  francois ciccio franciszek|frances fran francesca francisca paca fanny|frederick fred freddie
  friedrich fritz federico frederic|george georg jorge giorgio georges georgios giorgos yorgos
  georgy jerzy jorg|yuri iouri juri|gerald gerry jerry|gerard gerardo gerhard|gregory greg
  grigory grisha gregorio|harold harry hal|henry harry hank heinrich heinz enrique quique henri
  enrico hendrik henk henryk|ignacio nacho ignatius|isabella bella isabel izzy|jacob jake jakob
  yakov yaakov jacques jaap jakub giacomo iago|james jim jimmy jamie diego jaime santiago|
  jennifer jen jenny|jessica jess jessie|jesus chuy|john jon jack johnny juan ivan jean johann
  johannes hans giovanni gianni joao jan ioannis yannis giannis vanya sean ian johan ion janos|
  jonathan jon yonatan|joseph joe joey jose josef giuseppe beppe pino jozef pepe ze yosef yossi
  sepp osip|joshua josh|judith judy|kenneth ken kenny|konstantin kostas constantine konstantinos
  kostya|lawrence larry laurence lorenzo laurent lars|leonard len leo leonardo|leo lev leon|louis
  lou luis luigi ludwig lewis gigi|lucas luke luca lukas lukasz|margaret maggie meg peggy marge
  margarita gretel margarete greta marguerite malgorzata gosia rita|mark marc marcus marco marcos
  marek markus|martin marty marcin|mary maria marie molly marya masha miriam mariya marion|
  matthew matt matteo mateo mathieu matthias mateusz matvei|melissa mel|michael mike mick mickey
  miguel mikhail misha michel michele mikael michal mihai|nathaniel nathan nate|natalia natalya
  natasha natalie|nicholas nick nicky nicolas nikolai kolya nikos nikolaos niklas klaus mikolaj|
  nicole nicki|oliver ollie|olga olya helga|pamela pam|patricia pat patty trish|patrick pat paddy|
  paul pablo paolo pavel pawel pasha|peter pete pedro pierre pietro piotr pyotr petya petros
  pieter|philip phil phillip philippe felipe filippo filip|rachel rachael raquel|raphael rafael
  rafa raffaele rafal|raymond ray ramon|rebecca becky bec|richard rick dick rich ricky ricardo
  riccardo|robert bob rob bobby robbie bert roberto beto|ronald ron|rosario charo|samantha sam|
  samuel sam sammy shmuel|sergei serge sergio seryozha|simon simone shimon semyon|sophia sophie
  sofia sonya zofia|stephanie steph stefania|stephen steve steven stefan esteban stefano stepan
  etienne stephane|susan sue susie susana suzanne|terence terry|theodore ted theo teodoro fyodor
  fedor|theresa terry tess teresa therese tereza|thomas tom tommy tomas tommaso tomasz tomek|
  timothy tim timofei|tatiana tanya|victoria vicky tori viktoria|vincent vince vincenzo vicente|
  vladimir volodya vova volodymyr wladimir|vyacheslav slava|walter walt wally|william bill billy
  will liam willy wilhelm guillermo memo guglielmo guillaume willem wim|zachary zac zach|alberto
  beto albert al|anastasia nastya|boris borya|concepcion concha|dmitri dima dimitri dmitry
  dimitrios dimitris mitya|dolores lola|elena lena helen helena helene alyona|evangelos vangelis|
  guadalupe lupe|irina ira irene|jadwiga hedwig|stanislaw staszek stanislav stanley|svetlana
  sveta|cornelis kees cornelius|manuel manolo manny emmanuel|mercedes merche|luisa louise luise|
  laura lori|lyudmila ludmila lyuda|roman roma|tadeusz thaddeus|vasily vasya basil vasilios|
  vitaly vitalik|yaroslav jaroslav jarek|wojciech voytsekh adalbert|agnieszka agnes ines aga|
  avraham avi abraham abe|yitzhak isaac itzik|moshe moses moises
`;

/** One name in its forms, of which the first stands for all. */
interface Entry {
  readonly forms: readonly string[];
  /** True: they differ in how they are romanized, not in what people call each other. */
  readonly romanized: boolean;
}

/** Entries by a form. */
const ENTRIES_OF = new Map<string, readonly Entry[]>();
/** Entries of romanized names by how their forms read, for forms that are not listed. */
const BY_READING = new Map<string, Entry>();

function keep(entries: string, romanized: boolean): Entry[] {
  return entries.split('|').map((text) => {
    const forms = wordsOf(text).map((form) => latinWords(form).join(''));
    const entry = { forms, romanized };
    for (const form of new Set(forms)) {
      ENTRIES_OF.set(form, [...(ENTRIES_OF.get(form) ?? []), entry]);
    }
    return entry;
  });
}

/** How a romanized name reads: without vowels where it is written so. */
function readings(name: string, isVowelless: boolean): string[] {
  return isVowelless ? [`consonants ${consonantsOf(name)}`] : readingsOf(name).slice(1);
}

keep(GIVEN, false);
for (const [entries, isVowelless] of [
  [VOWELLESS, true],
  [CHINESE, false],
  [KOREAN, false],
  [JAPANESE, false],
] as const) {
  for (const entry of keep(entries, true)) {
    for (const reading of entry.forms.flatMap((form) => readings(form, isVowelless))) {
      if (!BY_READING.has(reading)) BY_READING.set(reading, entry);
    }
  }
}

/** What is known of a word: how it may read, and the names that it may be a form of. */
interface Known {
  readonly readings: readonly string[];
  readonly entries: readonly Entry[];
  /** Its consonants; null where it has vowels of its own. */
  readonly consonants: string | null;
}

const KNOWN_MAX = 20_000;
const KNOWN = new Map<string, Known>();

function knownOf(name: string): Known {
  const known = KNOWN.get(name);
  if (known !== undefined) return known;
  const isVowelless = lacksVowels(name);
  const meant = readings(name, isVowelless).map((reading) => BY_READING.get(reading));
  const fresh = {
    readings: readingsOf(name),
    entries: ENTRIES_OF.get(name) ?? meant.filter((entry) => entry !== undefined).slice(0, 1),
    consonants: isVowelless ? consonantsOf(name) : null,
  };
  // All are dropped at once: the usual ones are soon back.
  if (KNOWN.size >= KNOWN_MAX) KNOWN.clear();
  KNOWN.set(name, fresh);
  return fresh;
}

/** How a word reads once the letters for one sound are one. */
export function spellingOf(name: string): string {
  return knownOf(name).readings[0] ?? name;
}

/** True where two names are short or foreign forms of one. */
export function areForms(one: string, other: string): boolean {
  const { entries } = knownOf(other);
  return knownOf(one).entries.some((entry) => entries.includes(entry));
}

/** True where two words are transliterations, romanizations or older spellings of one name. */
export function areSpellings(one: string, other: string): boolean {
  const [mine, theirs] = [knownOf(one), knownOf(other)];
  if (mine.entries.some((entry) => entry.romanized && theirs.entries.includes(entry))) return true;
  if (mine.consonants !== null || theirs.consonants !== null) {
    return (mine.consonants ?? consonantsOf(one)) === (theirs.consonants ?? consonantsOf(other));
  }
  return mine.readings.some((reading) => theirs.readings.includes(reading));
}

/** The leading form of each entry that has the name. */
export function leadingForms(name: string): string[] {
  return knownOf(name).entries.map(({ forms: [lead = name] }) => lead);
}

/** The form of a name that stands for all of its forms. */
export function leadingForm(name: string): string {
  return leadingForms(name)[0] ?? name;
}
