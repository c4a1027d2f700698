// Korea. Surnames: census of 2015, KOSIS. Given names: the most frequent of each time in the
// register of families of the courts, romanized as people write them; shares rounded. Ages:
// census of 2020, KOSIS.
import type { People } from './people.ts';

const GIVEN_PARTS = [
  `ji min seo hyun su eun hye yu jun sung jae young kyung mi jung dong sang ye ha na do ga gun ho
    in jin ju ki kwang myung nam seung sun tae won woo yeon yong chan chul bo bum byung da`,
  `hyun min su eun young hee jin ho woo jun won yeon ah na mi sook ja soon ja-e hwan seok cheol sun
    kyung yun rin bin gyu ki soo tae ho-on hwa jung ran gi`,
];

export const KOREA: People = {
  key: 'korea',
  country: 'KR',
  surnames: {
    listed: `215 kim 147 lee 84 park 47 choi 29 jung 14 jeong 24 kang 14 cho 7 jo 15 yoon 6 yun 13
      jang 7 chang 12 lim 5 im 15 han oh seo 14 shin 4 shim 14 kwon hwang ahn song 9 jeon 3 chun 11
      hong 9 yoo 4 ryu 8 ko 2 go 8 moon 3 mun 7 yang 6 son 5 bae baek 4 huh nam 4 noh ha kwak 3
      sung cha joo woo koo 3 min na jin ji 2 um chae won cheon bang gong hyun ham byun yeom yeo
      choo 1.5 do so seok sun sul ma kil wi pyo myung ki ban wang keum ok yook in maeng je mo tak
      kook eo 0.7 eun pyun yong ye kyung bong sa boo ka bok tae hwangbo namgung`,
    parts: GIVEN_PARTS,
    rarer: 60,
  },
  eras: [
    {
      until: 1978,
      men: {
        listed: `11 young-soo 10 young-ho young-chul 9 jung-ho sung-ho 8 kwang-soo sang-hoon
          sung-jin 7 young-jin jung-hoon dong-hyun sung-soo 6 jin-ho sang-woo kyung-ho jae-ho
          min-ho chang-ho 5 ki-young jong-soo byung-chul yong-ho sung-min jin-woo dong-wook
          hyun-woo tae-ho joon-ho 4 chul-soo jong-ho sang-ho in-ho jae-hyun jung-soo kyung-soo
          kwang-ho ki-ho soon-ho myung-ho yong-soo jong-hyun sang-hyun sung-hyun young-hwan
          jae-hoon seung-ho 3 byung-ho dae-ho dong-soo ho-jin hyun-soo il-ho jae-young jin-soo
          jong-hoon jong-min joong-ho ki-hoon ki-soo kwang-sik man-ho nam-soo sang-chul sang-jin
          se-jin seok-ho seung-hwan sung-chul sung-hoon tae-hoon tae-hyun won-ho woo-jin yong-chul
          young-gil young-min young-sik young-woo yun-ho jung-hwan jung-sik jong-sik dong-ho 2
          bong-soo chan-ho chul-ho dae-sung deok-soo doo-ho eung-soo gil-soo hak-soo han-soo
          hee-chul hong-sik hyung-joon il-hwan in-soo jae-sik jang-ho jong-chul joo-ho keun-ho
          kil-dong ki-chul kook-jin kyu-ho man-soo moon-soo nak-ho oh-sung pil-ho sam-ho se-ho
          soo-ho sun-ho tae-soo tae-young un-ho wan-ho yang-soo yeon-ho yong-jin yong-sik yoon-ho`,
        parts: GIVEN_PARTS,
        rarer: 1_200,
      },
      women: {
        listed: `14 young-sook 13 jung-sook 12 young-ja 11 soon-ja young-hee 10 kyung-hee mi-kyung
          jung-hee 9 myung-sook kyung-sook 8 eun-jung mi-sook kyung-ja eun-ju 7 mi-jung sun-hee
          hyun-sook eun-young mi-young jung-ja 6 young-soon ok-soon jung-soon hye-kyung eun-hee
          hyun-ju 5 ji-young myung-ja chun-ja bok-soon mi-ra sun-young kyung-ae hee-sook soo-jung
          eun-kyung mal-soon 4 ae-ja bo-kyung eun-sook hee-jung hwa-ja hye-jung hye-sook hye-young
          hyun-jung in-sook jae-sook jin-sook ji-sook joo-hee ki-sook kum-ja kyung-mi mi-hee mi-ja
          mi-ok mi-sun myung-hee nam-soon ok-hee ok-ja ran-hee se-young soo-kyung soon-hee soon-ok
          sook-hee sook-ja sun-ja sun-mi sun-ok sung-hee yang-sook yeon-hee young-ae young-mi
          young-ok young-ran yun-hee yun-jung yun-ja 3 bong-soon bun-soon chun-hee duk-soon
          eul-soon gil-ja gui-soon hae-sook hak-soon hee-ja hye-ran il-soon in-ja ji-hye jin-hee
          joo-young jum-soon ka-young keum-soon kyung-ran kyung-soon mi-ran moon-ja nan-hee
          pil-soon sam-soon se-jung so-young su-mi tae-hee un-ja wol-soon yeo-jin yong-ja`,
        parts: GIVEN_PARTS,
        rarer: 1_200,
      },
    },
    {
      men: {
        listed: `12 min-jun 11 ji-hoon 10 hyun-woo jun-ho dong-hyun 9 min-jae jun-young seung-hyun
          min-ho 8 ji-hun sung-min jun-hyuk seo-jun jae-hyun 7 min-su do-yun ye-jun ji-hwan jin-woo
          sang-hyun 6 joo-won ji-ho si-woo ha-jun woo-jin tae-hyun seung-min dong-wook hyun-jun
          gun-woo min-kyu sung-hyun sang-hoon 5 eun-woo yu-jun jun-seo hyun-soo tae-young
          seung-hoon jung-min jun-woo seung-jun jae-won min-seok kyung-min chan-woo young-jun 4
          yun-ho sun-woo seo-jin ji-won jung-woo kyu-min min-woo min-hyuk si-hoo sung-jin seung-woo
          ho-jun in-ho in-woo han-gyeol han-sol jung-hoon jung-hyun jung-hwan joon-hee jong-hyun
          dae-hyun dong-hoon dong-jun dong-min do-hyun do-hoon hyung-jun hyun-seok jae-hoon jae-min
          jae-young ji-hyuk ji-seok jin-hyuk jin-ho kang-min ki-hoon kun-hee kwang-min sang-jun
          sang-min se-hun seok-jin seok-hyun seung-hwan soo-hyun sung-hoon sung-jun tae-hoon
          tae-min tae-yang won-jun woo-hyun woo-sung yong-jun young-min yoo-chan 3 beom-jun chan-ho
          chan-young dae-hun do-jun eun-ho eun-sung gi-hyun gyu-hyun hae-jun hee-jun ho-young
          hwi-jun i-jun jae-hwan jae-woo ji-sung ji-woo jin-seo jin-young joo-hyung jun-sang
          jung-jun kang-jun ki-bum ki-young moon-soo myung-jun ro-un san-ha se-jun si-yun su-ho
          su-min tae-jun u-bin`,
        parts: GIVEN_PARTS,
        rarer: 1_600,
      },
      women: {
        listed: `13 ji-eun 12 ji-hye ji-young 11 seo-yeon soo-jin 10 min-ji hye-jin eun-ji 9 yu-jin
          ji-woo ji-hyun su-bin 8 min-seo ye-jin ji-won 7 ji-min yoo-na ha-eun seo-yun seo-hyun
          hye-won yun-seo da-eun 6 soo-yeon so-young ye-eun chae-won eun-jung a-reum bo-ram ji-yun
          su-min na-yeon ga-eun 5 seul-gi so-yeon so-hee eun-hye eun-young da-hye yeon-ju hyo-jin
          hyun-ju hyun-ji hye-ji hee-jin mi-so min-kyung min-jung min-ju yu-ri yu-na ye-rin ye-won
          ji-a ji-yu ha-yun seo-young 4 a-yeon a-young bo-mi bo-young chae-eun chae-rin da-bin
          da-in da-som do-yeon eun-bi eun-chae eun-kyung eun-seo eun-sol ga-hyun ga-young gyu-ri
          ha-na ha-neul ha-rin han-na hee-soo hee-won hye-in hye-lim hye-rin hye-soo hyo-joo hyun-a
          hyun-jung in-young jae-hee ji-in ji-su ji-yeon jin-a jin-ju joo-a joo-eun joo-hee
          joo-hyun joo-yeon joo-young jung-eun jung-min jung-yun kyung-mi mi-ra mi-yeon min-a
          min-hee min-young na-eun na-hyun na-rae na-ri na-young sae-rom se-eun se-hee se-jin
          seo-jin seo-woo si-eun so-eun so-jung so-min so-yul soo-a soo-hyun soo-jung soo-kyung
          su-ah sun-young u-jin ye-ji ye-na ye-seo ye-seul yeo-jin yeon-hee yeon-soo yeong-eun
          yoo-bin yoo-jung 3 bit-na byeol cho-rong da-hee da-yeon e-seul eun-a i-seo in-a ji-an
          jin-sol ri-a ro-a sa-rang sol-bi sol-hee song-i su-ji yi-na yu-mi yul-hee yun-a yun-ji`,
        parts: GIVEN_PARTS,
        rarer: 1_600,
      },
    },
  ],
  secondName: { share: 0, together: 0, leads: false },
  custom: { wifeTakes: 0, bothParents: false, juniors: 0, siblingsAlike: 0.5 },
  ages: '54 76 82 76 78 90 88 100 100 98 92 62 48 40',
  newYear: 0.01,
  phones: ['010########'],
  places: {
    city: 'Seoul',
    region: '',
    zips: { first: 1000, step: 1, count: 5_600 },
    zipDigits: 5,
    streets: 14_000,
    usual: `sejong-daero gangnam-daero teheran-ro olympic-ro dosan-daero hakdong-ro bongeunsa-ro
      yangjae-daero dongil-ro mangu-ro cheonho-daero tongil-ro siheung-daero nambusunhwan-ro
      yeongdong-daero dogok-ro songpa-daero garak-ro jungang-ro hangang-daero`,
    streetParts: [
      `gae gang geum gu gwan hak ho hwa hyo in jang jeon ji jin jong jung mok mun myeong nak nam no
        o sa sam sang seo seok seong sin song su ui wol yang yeon yong`,
      `am bong cheon dong gang gok ho hwa hyeon in ji mun nam pa pyeong san seong sin ui won yang`,
      `-ro -daero -ro-1-gil -ro-2-gil -ro-3-gil -ro-4-gil -ro-5-gil -ro-7-gil -ro-8-gil -ro-10-gil
        -ro-12-gil -ro-15-gil`,
    ],
    line: '{n} {s}',
    highest: 300,
    townParts: [
      `an bo bu chang cheon chun dae dong gang geo gim gong gu gwang hae hong ik je jeon
        ji mil mok`,
      'an cheon do dong gang hae ju je nam po pyeong san seong won yang',
      '- -si -gun',
    ],
    towns: 230,
    second: { share: 0.75, text: '{a}-dong {b}-ho' },
    estates: 0.6,
  },
};
