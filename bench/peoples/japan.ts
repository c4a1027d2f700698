// Japan, which nobody looked at while weights were set: a check, and no input. Surnames: the survey
// of Meiji Yasuda of 2018 (Sato 1.53 %, Suzuki 1.44 %, Takahashi 1.13 %, Tanaka 1.05 %, Watanabe
// 0.94 %); those further on, given names and ages are approximate.
import type { People } from './people.ts';

const SYLLABLES = [
  `a i u e o ka ki ku ko sa shi su se so ta chi tsu te to na ni no ha hi fu ho ma mi mu mo ya yu yo
    ra ri ru re ro wa ga gi go za ji zu ze da de do ba bi bu be bo`,
  `- ba bu da gi ga ha hi i ka ki ko ku ma mi mo na no ra ri ru sa se shi su ta te to tsu wa ya yo`,
  `bara be da gawa hara hashi i kawa ki ko kura maki mizu mori moto mura no oka saki sato shima suka
    ta tani uchi ue yama zaki zawa`,
];

export const JAPAN: People = {
  key: 'japan',
  country: 'JP',
  surnames: {
    listed: `15.3 sato 14.4 suzuki 11.3 takahashi 10.5 tanaka 9.4 watanabe 8.7 ito 8.5 yamamoto 8.3
      nakamura 8.2 kobayashi 7.1 kato 7 yoshida 6.5 yamada 5.2 sasaki 5 yamaguchi 4.9 matsumoto 4.6
      inoue 4.3 kimura 3.8 hayashi 3.7 shimizu saito 3.6 yamazaki mori 3.4 abe ikeda hashimoto 3.3
      yamashita 3.2 ishikawa nakajima maeda 3.1 fujita ogawa 3 goto okada 2.9 hasegawa murakami
      kondo 2.8 ishii 2.6 sakamoto endo 2.5 aoki fujii nishimura 2.4 fukuda ota miura 2.3 fujiwara
      okamoto matsuda 2.2 nakagawa nakano harada 2.1 ono tamura takeuchi kaneko 2 wada nakayama
      ishida 1.9 ueda morita hara 1.8 shibata sakai kudo 1.7 yokoyama miyazaki miyamoto uchida
      takagi 1.6 ando taniguchi maruyama imai 1.5 takada fujimoto murata takeda sugiyama
      otsuka 1.4 masuda hirano sugawara koyama chiba 1.3 kubo iwasaki matsui noguchi sakurai
      kinoshita nomura matsuo kikuchi sano 1.2 onishi sugimoto arai hamada ichikawa furukawa
      mizuno komatsu shimada koike 1.1 nishida igarashi hirata iwata kawaguchi kawasaki azuma
      honda kubota tsuchiya 1 yoshikawa kawakami nagai iida sekiguchi`,
    parts: SYLLABLES,
    rarer: 60_000,
  },
  eras: [
    {
      until: 1975,
      men: {
        listed: `12 hiroshi 10 takashi 9 kiyoshi makoto 8 shigeru minoru 7 kazuo isamu akira 6.5
          masao takeshi 6 osamu yoshio susumu hideo 5.5 kenji koichi mamoru 5 katsumi tsutomu
          yutaka kazuhiko yukio hiroyuki 4.5 masaru toshio yasuo satoshi manabu naoki 4 hitoshi
          kenichi kazuya tetsuya tadashi shinichi noboru 3.5 koji eiji ryuichi masahiro hideki
          kunio fumio mikio norio 3 teruo haruo isao toru jun mitsuo akio shoji nobuo tatsuo
          hisashi seiji yasushi 2.5 shuichi junichi yoichi eiichi keiji ryoji saburo ichiro jiro
          goro kazunori masato yoshihiro toshiyuki 2 yoshiaki mitsuru rokuro sadao tomio tokuo`,
        parts: [
          'aki fumi hide hiro kazu ken masa michi mitsu nobu nori shige taka tomo toshi yasu yoshi',
          'aki fumi haru hiko hiro ji kazu ki nari nobu nori o shi suke taka to ya yuki',
        ],
        rarer: 300,
      },
      women: {
        listed: `13 kazuko 12 sachiko yoko 11 keiko 10 kyoko hiroko 9.5 michiko 9 fumiko setsuko
          8.5 yoshiko 8 kazue toshiko nobuko 7.5 chieko mieko 7 reiko masako junko 6.5 yumiko
          tomoko yuko 6 akemi mayumi noriko 5.5 naomi kumiko takako etsuko 5 emiko miyoko hisako
          hideko 4.5 haruko akiko shizuko mitsuko 4 yasuko teruko ayako sumiko rumi 3.5 mariko
          eiko kimiko ikuko megumi rie 3 minako eri yukari kaori yukiko misako sayuri 2.5 chiyoko
          kiyoko toyoko fusako tamiko natsuko harumi 2 hatsue kikue fumie shizue masae tomie`,
        parts: [
          'a aki chi e fumi haru hi hisa ka ki kimi ma mi michi mo na nao no ri sa shi su tomo yu',
          'e ka ko mi na no ri yo',
        ],
        rarer: 150,
      },
    },
    {
      men: {
        listed: `11 daisuke 10 kenta sho 9 takuya tatsuya 8.5 kazuki 8 naoki tsubasa 7.5 yuta daiki
          7 ryota takumi shota 6.5 ren haruto 6 kohei kento yuki hiroki 5.5 yusuke ryosuke kosuke
          5 yuto sota hayato riku 4.5 makoto takashi hiroshi ryo tomoya 4 manabu kenji satoshi
          masashi yuya kazuya 3.5 yoshiki keisuke shinya akira hinata minato 3 itsuki asahi kaito
          sora koki yamato haruki naoto takahiro 2.5 shunsuke ryuta shun tetsuya junya yohei
          masaki tomoki shogo taiga koji 2 jun ryuji atsushi kei genki shuhei kazuma taichi`,
        parts: [
          'ei haru hiro jun kazu kei ko ma mune nao rei ri ryo ryu shin sho shu so ta tai to yo yu',
          'hei ichi ji ki ma nosuke shi suke ta taro to tsu ya',
        ],
        rarer: 250,
      },
      women: {
        listed: `11 ai 10 misaki 9.5 mai 9 aya yui 8.5 asuka 8 miho megumi 7.5 kana saki 7 haruka
          yuka mika 6.5 tomomi ayaka nanami 6 aoi hina sakura 5.5 rina yuna mao 5 mami emi chihiro
          natsumi 4.5 eri yoko akane moe 4 risa mio rin himari miyu hinata 3.5 kaori naomi yuko
          miki maki shiori 3 honoka ayumi erika momoka yuri chinatsu mayu 2.5 kotone hana sara
          nao an koharu ichika tsumugi 2 minami kaho mizuki wakana kanako reina arisa nozomi`,
        parts: [
          'a aka aya chi e ha haru hi ho ka ko ma mi mio na no ri sa sao shi to tsu yu',
          'e ho ka ki ko mi na ne no ri rin ru sa se to ya',
        ],
        rarer: 200,
      },
    },
  ],
  secondName: { share: 0, together: 0, leads: false },
  custom: { wifeTakes: 0.95, bothParents: false, juniors: 0, siblingsAlike: 0.05 },
  ages: '55 60 60 64 72 80 94 92 84 76 74 88 84 62',
  newYear: 0.003,
  phones: ['090########', '080########', '070########'],
  places: {
    city: 'Osaka',
    region: 'Osaka',
    zips: { first: 5300001, step: 3, count: 900 },
    zipDigits: 7,
    streets: 6_000,
    usual: `umeda namba honmachi tenma tanimachi shinsaibashi uemachi kitahama nakatsu fukushima
      tenjinbashi sakuranomiya kyobashi tamatsukuri tennoji abeno nishinari juso awaji taisho`,
    streetParts: [
      `asahi aoba azuma fuji hama hanazono higashi hon izumi kami kita ko matsu midori mina minami
        miya mizu naka nishi o sakae sakura shimo shin taka take ue waka yama yoshi`,
      '- ba da gawa hara i kawa ki mori no saki shima ta tani ura zaka',
      '-cho -machi -dori -1-chome -2-chome -3-chome -4-chome -5-chome',
    ],
    line: '{n} {s}',
    highest: 40,
    townParts: [
      'aka fuku hama hiro ichi ishi ka kawa ki ko kuma matsu mi mito miya na naga nii oka sen taka',
      '- ba bu da ga ka ma mi no ra sa ya',
      'gawa hara machi mura oka saki shi shima ta yama zaki',
    ],
    towns: 790,
    second: { share: 0.5, text: 'room {b}' },
    estates: 0.35,
  },
};
