// Names of East Asia and of the Arabic world in the Latin letters that people write. Facts, typed
// for this. Entries are separated by bars; each is one name. A name in signs stands for how signs
// are transliterated; its bearers' own readings follow. [G-53]

/** Chinese surnames: Pinyin, then Cantonese, Hokkien and other spellings. */
export const CHINESE = `
  wang wong ong|huang wong ng ooi oei hwang|zhang cheung chong teo teoh chang|li lee lei|liu lau
  lao low|chen chan tan chin|yang yeung yeo|zhao chiu chao teo|wu ng goh|zhou chow chew chau chou|
  xu hsu tsui chui|sun suen soon|ma mah|zhu chu choo|hu woo wu oh|guo kwok quek kuo|he ho hoe|lin
  lam lim|gao ko kao|luo law lo loh|zheng cheng tay cheang|liang leung neo|xie tse hsieh chia|
  song sung soong|tang tong|han hon|feng fung|deng tang teng|cao tso chao|peng pang phang|zeng
  tsang chan tseng|xiao siu hsiao siew|tian tin|dong tung|pan poon phua|yuan yuen|ding ting|cai
  tsai chua choy tsoi|jiang chiang keung kong|yu yue|du to|ye yip yeh yap|cheng ching|wei ngai|su
  so soh|lu lui loo lo|ren yam jen|shen sum shum sim|yao yiu|zhong chung|lai lye|tan tam|qiu yau
  khoo chiu|jin kam kim|shi shek shih|xiong hung|meng mang|qian chin|bai pak pai|hong hung ang|mo
  mok|ou au|situ szeto|ouyang auyeung|xing ying|kuang kwong|kong hung
`;

/** Korean surnames: the sign, then the usual spellings. */
export const KOREAN = `
  金 kim gim|李 lee yi i rhee ri|朴 park pak bak|崔 choi choe|鄭 jung jeong chung cheong|姜 kang gang|趙
  cho jo|尹 yoon yun youn|張 jang chang|林 lim im rim|吳 oh o|徐 seo suh so|申 shin sin|權 kwon gwon|黃
  hwang|安 ahn an|柳 yoo yu ryu|劉 yoo yu you|洪 hong|全 jeon jun chun|高 ko go koh|文 moon mun|孫 son
  sohn|裴 bae pae|白 baek paik baik paek|許 heo hur huh|南 nam|沈 shim sim|盧 noh no roh|河 ha|郭 kwak
  gwak|成 sung seong|車 cha|朱 joo ju chu|禹 woo u|具 koo gu ku|閔 min|羅 na ra|陳 jin chin|池 ji jee chi|
  嚴 eom um uhm|元 won weon|方 房 bang pang|孔 kong gong|玄 hyun hyeon|呂 yeo|馬 ma|魏 wi|表 pyo|奇 ki gi|丁
  jung jeong
`;

/** Japanese surnames and given names: the signs, then how they are read. */
export const JAPANESE = `
  佐藤 sato|鈴木 suzuki|高橋 takahashi|田中 tanaka|伊藤 ito|渡辺 渡邊 watanabe|山本 yamamoto|中村 nakamura|小林
  kobayashi|加藤 kato|吉田 yoshida|山田 yamada|佐々木 sasaki|山口 yamaguchi|松本 matsumoto|井上 inoue|木村 kimura|
  林 hayashi|斎藤 斉藤 saito|清水 shimizu|山崎 yamazaki|森 mori|池田 ikeda|橋本 hashimoto|阿部 安倍 abe|石川 ishikawa|
  山下 yamashita|中島 nakajima|石井 ishii|小川 ogawa|前田 maeda|岡田 okada|長谷川 hasegawa|藤田 fujita|後藤 goto|近藤
  kondo|村上 murakami|遠藤 endo|青木 aoki|坂本 sakamoto|福田 fukuda|太田 ota|西村 nishimura|藤井 fujii|岡本 okamoto|
  金子 kaneko|藤原 fujiwara|三浦 miura|中野 nakano|中川 nakagawa|原田 harada|松田 matsuda|竹内 takeuchi|小野 ono|田村
  tamura|中山 nakayama|和田 wada|石田 ishida|上田 ueda|森田 morita|原 hara|柴田 shibata|酒井 sakai|工藤 kudo|横山
  yokoyama|宮崎 miyazaki|内田 uchida|宮本 miyamoto|高木 takagi|安藤 ando|谷口 taniguchi|大野 ono|丸山 maruyama|今井
  imai|菅 suga|岸田 kishida|野田 noda|麻生 aso|太郎 taro|一郎 ichiro|健 ken|大輔 daisuke|翔太 shota|健太 kenta|拓也
  takuya|直樹 naoki|誠 makoto|隆 takashi|浩 hiroshi|和子 kazuko|幸子 sachiko|洋子 yoko|恵子 keiko|美咲 misaki|陽菜
  hina|花子 hanako|京子 kyoko|裕子 優子 yuko|由美 yumi|真由美 mayumi|智子 tomoko|明美 akemi|久美子 kumiko|愛 ai|翔 sho|
  蓮 ren|葵 aoi|結衣 yui|健一 kenichi|達也 tatsuya|学 manabu|修 osamu|晋三 shinzo|茂 shigeru|勇 isamu|清 kiyoshi|
  実 minoru
`;

/** Names that Arabs and Jews write without vowels, as others write them. */
export const VOWELLESS = `
  mohammed muhammad mohamed mohammad muhammed mohamad muhamad mohd mehmet|ahmed ahmad ahmet
  achmad|hussein hossein husain hussain huseyin hosain|hassan hasan hasen|ali aly|abd abdul abdel
  bd|abdullah abdallah abdulla|yusuf youssef yousef yosef yusof yousuf joseph|ibrahim ebrahim
  abraham|omar umar omer|osman uthman othman usman|fatima fatma fatemeh fatimah|aisha ayesha
  aicha aysha ayse|khadija khadijah hatice|maryam mariam meryem mary|zainab zaynab zeinab zeynep|
  mustafa mostafa moustapha|mahmoud mahmud mehmood mahmood|saeed said saied sayeed|khalid khaled
  halit|jamal gamal cemal djamal|rashid rachid rasheed|karim kareem|qasim kassem kasim qassem|
  qaddafi gaddafi kadhafi|shaikh sheikh cheikh|syed sayed sayyid|ismail esmail|sulaiman suleiman
  soliman suleyman solomon|yahya yahia|zakaria zakariya|tariq tarek tarik|amin ameen|nasser nasir
  naser|salim saleem salem|leila layla laila leyla|noor nour nur|yasmin yasmeen jasmin|hamid
  hameed|rahman rehman|rahim raheem|bashar bachar|assad asad|hafez hafiz|jaber gaber jabir|bilal
  belal|walid waleed oualid|cohen kohen kahn cohn|levi levy|david dd daoud dawud dawood|moshe musa
  mousa moussa moses|abraham avraham|yitzhak isaac ishaq|yaakov yakub yaqub jacob|chaudhry
  choudhury chowdhury|mukherjee mukhopadhyay|banerjee bandyopadhyay|singh sinh simh|agarwal
  aggarwal
`;

