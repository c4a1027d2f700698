// Germany. Surnames: telephone entries of 2018 in the Digitales Familiennamenwörterbuch (Müller
// 256,003, which is 0.87 % of people). Given names: yearly ranks of births since 1940 as published
// by the Gesellschaft für deutsche Sprache; shares rounded. Ages: Destatis, end of 2022.
import type { People } from './people.ts';

const SYLLABLES = [
  `al am ba bau be ber bo bra bu da die do du eb ei en fa fel fi frei ga gei glo gra gro gru ha hei
    hen her ho hu ja ka kal kei kel ki klo kno ko kra kro ku la lan le lie lo lu ma mei mo mu na
    neu no o pa pe pie pla po pru ra rei rie ro ru sa schei schi schla schu sei so spa ste sto stru
    ta tie to u vo wa wei wen wie wil wo wu za zie zim`,
  '- b ber ch de der f g gel k ken l le ler m me n ne r rn rt s ß sch sel ss st t te tz z',
  `ak auer bach baum beck berg brand burg dorf e eke el er feld gart haus heim hof horst ich ig ing
    ke ker ler ling mann meier mer mer ner ow rich ring sen ser ske ski stein thal wald weg`,
];

export const GERMANY: People = {
  key: 'germany',
  country: 'DE',
  surnames: {
    listed: `8.7 müller 6.5 schmidt 3.9 schneider 3.3 fischer 2.9 weber 2.8 meyer 2.7 wagner 2.5
      becker schulz 2.4 hoffmann 2.1 schäfer 2 koch bauer 1.95 richter 1.85 klein 1.8 wolf schröder
      1.75 neumann 1.6 schwarz zimmermann 1.55 braun krüger 1.5 hofmann hartmann 1.45 lange schmitt
      werner 1.4 schmitz krause meier 1.3 lehmann maier schmid 1.25 schulze köhler 1.2 herrmann
      walter könig 1.15 mayer huber kaiser fuchs 1.1 peters lang scholz möller weiß 1.05 jung hahn
      schubert vogel 1 friedrich keller günther frank berger winkler roth 0.95 beck lorenz baumann
      franke albrecht schuster simon 0.9 ludwig böhm winter kraus martin schumacher krämer vogt
      stein 0.85 jäger otto sommer groß seidel heinrich brandt haas 0.8 schreiber graf schulte
      dietrich ziegler kuhn kühn pohl engel horn 0.75 busch bergmann thomas voigt sauer arnold
      wolff pfeiffer 0.7 beyer ernst lindner hübner kramer franz nowak wenzel jansen paul hansen
      0.65 peter yilmaz thiel riedel bock schilling hein barth lutz böttcher 0.6 fink haase marx
      schütz scherer götz schwab reuter kern ulrich ritter moser mohr gerlach steiner kurz dietz
      kunz auer wirth rose nagel brückner 0.55 will born bender urban langer stahl ebert lenz hesse
      kessler decker krebs opitz eckert geiger steffen 0.5 sander jahn kirsch heller renner kröger
      erdmann bachmann fritz hauser forster beckmann adam kraft seifert schramm kaufmann schlüter
      strauß ahrens petersen gabriel reinhardt gebhardt fiedler heinz dörr rieger janssen rudolph
      hoppe mayr michel gruber blum baier 0.45 wild noack falk rösch henning wendt burkhardt
      naumann witt zander konrad nguyen kaya kowalski brinkmann wiese lukas demir rohde maurer
      stark wittmann pape lohmann funk engelhardt philipp merz förster jakob metzger hinz timm
      fuhrmann kirchner zeller 0.4 ebner eder freund pietsch rauch bayer hoff hager schaller weiss
      voß thiele wegner raab ott hermann unger scheffler block eberhardt fröhlich rausch römer
      schindler yildiz sahin celik buchholz sievers menzel probst kolb siebert heine bartsch
      stephan ivanov schiller`,
    parts: SYLLABLES,
    rarer: 200_000,
  },
  eras: [
    {
      until: 1970,
      men: {
        listed: `38 peter 35.1 hans 30.8 wolfgang klaus 29.5 michael 26.8 thomas 25.5 jürgen 24.2
          manfred 22.9 dieter günter 21.7 werner 20.4 uwe horst 19.2 andreas helmut 18.1 bernd
          gerhard 16.9 rainer karl 14.7 frank heinz 13.6 walter josef 12.6 joachim 11.5 rolf ralf
          10.5 stefan martin 9.59 herbert matthias 8.65 norbert jörg 7.75 reinhard harald detlef
          6.89 heinrich kurt siegfried ulrich 6.05 volker wilhelm 5.26 christian franz rudolf
          holger 4.5 alfred udo dirk georg 3.78 friedrich hermann erich otto 3.1 lothar roland gerd
          erwin hartmut 2.47 ernst paul johann johannes ludwig axel eberhard hubert willi 1.88
          robert anton karl-heinz hans-jürgen winfried armin alexander burkhard egon fritz guido
          jens 1.35 albert arno arnold bruno eckhard edgar edmund erhard eugen ewald gottfried
          gustav gunther hans-peter henning hugo ingo kai klaus-dieter markus max oskar oliver olaf
          ottmar richard rüdiger siegbert theodor thorsten torsten wilfried willy 0.883 adolf alois
          august bernhard christoph carsten dietmar engelbert emil ferdinand frank-peter friedhelm
          gisbert hans-georg hans-joachim heiner helge herwig ingolf karsten konrad leo lutz
          meinhard raimund reinhold reiner ronald sigmund steffen sven ulf wendelin wolf
          wolf-dieter`,
        parts: [
          `a ber die eg er fried ge gott hel her hu ing jo kun lud mein o rein sieg theo u vol wal
            wil wolf`,
          '- bal de ger hil li man no ri tra',
          'bert bold brecht fred fried hard helm mar mund old rich wald win',
        ],
        rarer: 1_500,
      },
      women: {
        listed: `34 ursula 31.1 karin 29.6 monika 28.2 renate 26.8 helga 25.4 maria 24.1 ingrid
          brigitte 21.5 elisabeth christa 20.2 sabine petra 19 gisela susanne 17.7 angelika 16.5
          gabriele 15.4 ilse christine erika 14.2 barbara andrea 13.1 gerda heike 12.1 hannelore
          birgit 11 martina 10 margarete christel 9.03 edith anna ruth 8.08 claudia marion 7.17
          waltraud irmgard 6.29 inge ute cornelia elke 5.46 bärbel anneliese rita jutta 4.66 heidi
          irene hildegard regina 3.91 beate annette ulrike silvia marlies doris 3.2 hedwig elfriede
          eva marianne rosemarie roswitha sigrid gertrud 2.54 anke anja kerstin margot sylvia
          ingeborg johanna katharina 2.54 eva-maria gudrun hilde rosa lieselotte 1.94 annemarie
          astrid bettina carola dagmar dorothea edeltraud else emma erna evelyn frieda gabi herta
          heidemarie hertha ilona iris käthe katrin kirsten kornelia lydia magdalena manuela margit
          1.39 adelheid agnes anita antje antonia auguste carmen charlotte christiane emilie ellen
          elli elsbeth franziska friederike gerlinde gerta grete hanna heidrun helene henriette
          ingelore isolde johanne josefine karla klara luise lore maike mechthild melitta 0.903
          meta mathilde minna nora olga paula pia ramona regine reinhild rosina sibylle simone
          sofie sonja stefanie theresia therese tina ulla vera veronika viola walburga wilhelmine
          wilma`,
        parts: [
          `a ber die edel er fried ge gun hel her hil ing jo kuni lie mar o ros sieg thea
            u wal wil`,
          '- de ga le li ne ri tra',
          'burg chen gard gund hild lind linde lore marie mut ruth traud trud',
        ],
        rarer: 1_500,
      },
    },
    {
      men: {
        listed: `27 christian 25.3 daniel michael 23.7 alexander 22.1 stefan 20.6 andreas 19.1
          thomas jan 16.3 sebastian markus 14.9 tobias matthias 13.6 florian martin 12.4 philipp
          patrick 11.2 dennis marcel 10 benjamin david frank 8.91 tim sven jens 7.87 lukas felix
          christoph 6.87 kevin maximilian marco 5.93 dominik simon robert jonas 5.05 oliver torsten
          nico fabian paul leon 4.23 marc mario rene timo ralf 3.47 peter marvin lars niklas moritz
          dirk 2.77 johannes sascha björn julian luca jörg uwe manuel 2.13 andre heiko holger ingo
          kai karsten carsten max mike mirko steffen thorsten finn tom volker noah ben 1.57 bernd
          boris adrian constantin erik elias guido henrik jannik joachim johann jürgen klaus
          lennart mathias mohamed nils ole olaf pascal pierre raphael richard robin rainer ronny
          samuel stephan till torben vincent yannick 1.08 achim ali anton arne arthur axel bastian
          bernhard can carl christopher claus colin damian dieter eric emil enrico frederik gerd
          gregor guenter hannes hans harald hendrik henry ibrahim jakob jannis jason jochen joel
          jonathan jose josef julius justin karl kilian konstantin lennard leo leonard levin linus
          louis ludwig maik malte mehmet mert milan mustafa marius norman oskar ömer philip rico
          roman ruben rüdiger silas stefano theo theodor thilo tino tommy toni ulrich valentin
          viktor werner wolfgang yusuf 0.663 ahmed alex amir andrej angelo antonio artur ayhan
          benedikt burak cem clemens danny dario denis dimitri dustin eduard emre eugen fabio falk
          franz fritz georg gunnar hakan hasan heinz hussein igor jaroslaw jerome joshua jannes kay
          lenny levi lorenz luis marek mats mattis maurice mika murat nick niko nikolaus norbert
          oguz omar pawel piotr phil quirin rafael ramon reiner roland rolf sami selim sergej
          serkan silvio sinan sönke steven tarek thore tilo tomasz udo vladimir waldemar walter
          willi xaver`,
        parts: [
          'a bra da e fa i ja ke le ma ne o ro so ta u ya za',
          'bel dal fi len mi ni ri ro si tan ve',
          'an ar ek el en er in ir o on or us',
        ],
        rarer: 6_000,
      },
      women: {
        listed: `25 stefanie 23.2 julia 21.4 katharina sandra 19.7 nicole 18 anna christina 16.5
          sarah melanie 14.9 andrea claudia 13.5 kathrin jennifer 12.1 lisa nadine 10.8 laura
          susanne anja 9.59 michaela daniela 8.43 sabine katrin jessica 7.34 tanja vanessa lena
          6.31 marie maria martina petra 5.36 alexandra yvonne silke 4.49 simone franziska kerstin
          jana jasmin nina 3.68 birgit britta heike sabrina lea hannah sonja manuela 2.95 anne eva
          carina denise bianca miriam annika verena 2.3 alina carolin christine diana ines janina
          johanna larissa maren mia michelle sina sophie vera 1.72 angela antje astrid barbara
          bettina bianka celina cornelia corinna doreen emma eileen elena elisabeth emily
          friederike gabriele ina isabel jacqueline janine judith kim kristin leonie luisa maike
          mandy marina monika nathalie nora olga pia ramona rebecca sara silvia steffi svenja
          theresa tina ulrike ute viktoria 1.22 aylin amelie angelika anita antonia beate birte
          birgitta carla carmen catharina charlotte clara cindy constanze dagmar dana dorothee
          dunja elif elke ella esra evelyn fatma fabienne fiona frauke gesa greta hanna helena
          henrike ida imke inga ingrid irina iris jenny jessika josephine juliane jule karin karina
          karolin kathleen katja kira lara laila leila lilli lina linda lydia magdalena maja
          mareike margarete margit marion marlene marta melina merle merve meike nadja natalie
          natascha nele nelly paula patricia pauline peggy regina renate romy rosa sabina saskia
          sevgi selina sophia stella stephanie susann swetlana sylvia tabea tamara tatjana teresa
          thea ulla ursula valentina veronika vivien wiebke 0.469 aleyna alisa anastasia anke
          annalena annette aysel ayse birthe büsra cansu celine chantal christiane cora darja derya
          dilara ebru edith elisa emine enya eugenia filiz finja frida gina gisela gülsen hatice
          heidi hilal ilka ilona irmgard joana jolina josefine jutta kübra kinga leni lotta luise
          malin malgorzata marika mathilda meryem`,
        parts: [
          'a ce da e fi i ja ka le li ma na o ro sa ta va ya ze',
          'bel da le li lo mi na ni re ri si ve',
          'a ana e ela ia ie in ina ine is ja ra',
        ],
        rarer: 6_000,
      },
    },
  ],
  secondName: { share: 0.15, together: 0.5, leads: false },
  custom: { wifeTakes: 0.8, bothParents: false, juniors: 0.01, siblingsAlike: 0.03 },
  ages: '64 68 72 80 78 77 70 76 96 100 82 68 52 52',
  newYear: 0.01,
  phones: ['0151########', '0160########', '0171########', '0176########', '030########'],
  places: {
    city: 'Berlin',
    region: '',
    zips: { first: 10115, step: 21, count: 190 },
    zipDigits: 5,
    streets: 9_800,
    usual: `hauptstraße schulstraße gartenstraße bahnhofstraße dorfstraße bergstraße birkenweg
      lindenstraße kirchstraße waldstraße ringstraße schillerstraße goethestraße wiesenweg amselweg
      jahnstraße buchenweg mühlenweg feldstraße friedhofstraße eichenweg rosenweg mozartstraße
      beethovenstraße blumenstraße finkenweg mittelstraße poststraße parkstraße ahornweg
      industriestraße uhlandstraße am-sportplatz tulpenweg mühlenstraße drosselweg kirchweg
      lerchenweg talstraße rathausstraße marktplatz neue-straße hochstraße fliederweg`,
    streetParts: [
      `adler alt amster augs bam bel bir born bran bres bu char dan dres elb erl fal fran frei
        fried glo gru hal ham heid her holz jo kai kant karl ko kur leip lich lud mar moritz nau
        nie nord oder pan pots prenz ra rat rit rose rud sa schön see sonn span stein tan teg trep
        ul wal wei wil`,
      '- ber brun burg den der feld hardt helm kow ler len lin ner nick rich sel tal ter',
      'straße straße straße weg weg allee platz ring damm ufer steig zeile',
    ],
    line: '{s} {n}',
    highest: 150,
    townParts: [
      `al an au ba ber bie bru dan den do ei en er fal fre fu gro gum ha hei her hof il ka kir la
        lin lu mar mei mün neu nie ober os pa ra rei ro sal schön sie stein ti ul wal wei wol`,
      '- bach ber den der fel gen hau lin men ren sen ters',
      `au bach berg born bruck brück burg dorf feld furt hausen heim hofen ingen kirchen leben rode
        stadt stedt tal wald`,
    ],
    towns: 6_000,
    second: { share: 0.05, text: 'hinterhaus {a}' },
    estates: 0.05,
  },
};
