// Names that many people share, and short forms of names. The lists are the same for every tenant;
// nothing is learnt from anybody's data. A name that is absent counts as rare.

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

/** Each entry is one name in its forms; the first form stands for all. */
const FORMS = `
  alexander alex alec sandy xander alejandro alexandra|alexandra alex sandra sandy lexi
  andrew andy drew|anthony tony anton antonio|barbara barb babs|benjamin ben benny
  catherine katherine kathryn kate katie cathy kathy kitty|charles charlie chuck carlos
  christopher chris kit|christine christina chris tina|daniel dan danny|david dave davey
  deborah deb debbie debra|donald don donny|dorothy dot dottie|edward ed eddie ted teddy ned
  elizabeth liz lizzie beth betty eliza libby lisa elisabeth|emily em emmy|eugene gene
  francis frank francisco|frederick fred freddie|gerald gerry jerry|gregory greg
  harold harry hal|henry harry hank|isabella bella isabel izzy|jacob jake|james jim jimmy jamie
  jennifer jen jenny|jessica jess jessie|john jack johnny juan ivan|jonathan jon
  joseph joe joey jose|joshua josh|judith judy|kenneth ken kenny|lawrence larry laurence
  leonard len leo|lucas luke luca|margaret maggie meg peggy marge|matthew matt
  mary maria marie molly|melissa mel|michael mike mick mickey miguel|nathaniel nathan nate
  nicholas nick nicky nicolas|nicole nicki|oliver ollie|pamela pam|patricia pat patty trish
  patrick pat paddy|peter pete pedro|philip phil phillip|rachel rachael|raymond ray
  rebecca becky bec|richard rick dick rich ricky|robert bob rob bobby robbie bert|ronald ron
  samantha sam|samuel sam sammy|sophia sophie sofia|stephanie steph
  stephen steve steven stefan|susan sue susie|terence terry|theodore ted theo|theresa terry tess
  thomas tom tommy|timothy tim|victoria vicky tori|vincent vince|walter walt wally
  william bill billy will liam willy|zachary zac zach
`
  .trim()
  .split(/[|\n]/)
  .map(wordsOf);

const FORMS_OF = new Map<string, string[]>();
for (const forms of FORMS) {
  for (const form of forms) FORMS_OF.set(form, [...(FORMS_OF.get(form) ?? []), ...forms]);
}

/** True where two given names are forms of one. */
export function areForms(one: string, other: string): boolean {
  return FORMS_OF.get(one)?.includes(other) ?? false;
}

/** The form of a given name that stands for all of its forms. */
export function leadingForm(name: string): string {
  return FORMS_OF.get(name)?.[0] ?? name;
}
