// Vietnam. Surnames: the shares of Le Trung Hoa, Names of the Vietnamese (2005). Given and middle
// names: ranks of published lists of candidates of the national examinations, shares rounded. Ages:
// census of 2019, General Statistics Office.
import type { People } from './people.ts';

const GIVEN_PARTS = [
  'b c ch d g gi h kh l m n nh ph q s t th tr v x',
  'a e i o u ie oa uy ua',
  '- n ng c t m nh',
];

export const VIETNAM: People = {
  key: 'vietnam',
  country: 'VN',
  surnames: {
    listed: `384 nguyen 110 tran 95 le 70 pham 31 hoang 20 huynh 45 phan 22 vu 17 vo 21 dang 20 bui
      14 do 13 ho ngo 10 duong 5 ly 9 truong 7 dinh 6 doan lam 5 mai trinh dao cao ha luong luu to
      4 thai chau ta phung quach vuong thach 3 tang kieu la quan nghiem diep bach le-van hua tong 2
      trieu ma nong lu au giang danh khuat vi kim chu mac an lo ton lai nhan`,
    parts: GIVEN_PARTS,
    rarer: 200,
  },
  eras: [
    {
      until: 1985,
      men: {
        listed: `32 hung 30 dung 26 minh 24 tuan 23 hai 22 thanh 21 son 20 long cuong 19 thang 18
          hoa 17 hieu binh 16 nam duc tam 15 phuong 14 phong tien tung 13 kien quang vinh 12 trung
          11 tai loc an 10 phuc thinh lam viet dat hoang 9 khanh nghia huy toan thuan 8 quan cong
          dong 7 chien chinh hanh ky thang khoa linh sang tho tri truong 6 bao ha hau hoan lap loi
          luan ngoc nhan phat quy quyen sy tan thai thu 5 bac bang chung cuong-anh danh dien giang
          hau-loc hien hoai khai khiem luc man ngan nguyen nhat phu sau so tinh ton tru ut xuan 4
          ba bay bon chau diep doan hai-son hiep hon kha lan ly muoi nhon ninh quoc tuyen tu vuong
          y`,
        parts: GIVEN_PARTS,
        rarer: 600,
      },
      women: {
        listed: `36 lan 34 huong 30 hoa 28 mai 27 hanh 25 thuy 24 nga 23 hong 22 ha 21 phuong 20
          thu yen 19 hang 18 loan tuyet 17 dung 16 hien oanh 15 anh van thanh 14 lien ngoc xuan 13
          nhung cuc huyen 12 linh tam trang 11 binh giang nguyet 10 chi hue lieu my tam thao minh 9
          bich diep dao ngan nhan 8 hai hao hoai kim quyen sen tinh thoa 7 be chau duyen hau khanh
          le luyen ly mui na nhu phi quynh sang thom tho tien tu uyen 6 an ba bong cam chinh dep
          ghi gai hien-lan ket kieu lai lam loi luong man mien ne ngoan nu phan phuc que son sau
          suong tham thuan tram tu-anh tuyen uoc ut vinh xinh 4 bay bon dong hoan luu mo nam nguyen
          nhi nhon to`,
        parts: GIVEN_PARTS,
        rarer: 600,
      },
    },
    {
      men: {
        listed: `36 anh 34 huy 30 minh 28 duc 27 nam 26 dat 25 hieu 24 hung 22 long hoang 21 tuan
          20 khang bao 19 dung 18 quan son khoa 17 phuc trung 16 thang thanh phong 15 thinh kien 14
          kiet khanh nghia 13 tai tung cuong 12 an hai linh nhan vinh duy 11 viet quang bach lam 10
          loc tien toan phat nhat 9 quoc tri truong hao binh phu tin thien 8 thai cong tan sang
          duong danh 7 trong khai hoa ngoc giang tu bang luan chien quy hau tuyen 6 dong vu vuong y
          khiem dang manh tam thuan su lap doan chau khoi luong sy the ky thuc trieu phuong 5
          nguyen van ninh chinh cuong-thinh du gia hien hoan loi luc nghi nhan-duc sinh tho tuong 4
          hien-minh chi dinh dai di hon kha lan ly men ngan phuoc quyen sen sung thu tinh triet vy`,
        parts: GIVEN_PARTS,
        rarer: 600,
      },
      women: {
        listed: `44 anh 40 linh 34 trang 28 huong 26 phuong 25 ngoc 24 thao 23 ha 22 nhi 21 ngan 20
          my huyen 19 vy hang 18 mai nhung thuy 17 yen quynh tram 16 chi chau lan van 15 thu giang
          nhu 14 hoa hien tien 13 uyen trinh 12 hanh han thanh ly 11 dung nga duyen vi 10 khanh
          tram-anh tam minh bich diep 9 an my-linh kim oanh hong y 8 tuyet phuc nguyen thuong loan
          kieu 7 lam xuan lien dan le tu truc thi khue hue 6 binh cam dao ngan-ha hoai hau suong
          que tuyen vinh tho tuong ai di phung 5 bao doan gia hai hao huong-giang kha luong man mi
          na nguyet quyen sang son tinh to tri viet vu 4 be chinh dong giao hoan ket khuyen lai
          lieu loi luyen nam ninh phi phuoc sen tham thoa tue tuy uyen-nhi xinh`,
        parts: GIVEN_PARTS,
        rarer: 600,
      },
    },
  ],
  secondName: {
    share: 0.95,
    together: 0.3,
    leads: true,
    men: {
      listed: `190 van 60 duc 55 minh 50 quang huu 45 dinh 40 thanh hoang xuan 35 ngoc 30 quoc anh
        25 cong trong tuan 20 ba duy manh the tien 15 hai gia hung nhat bao 12 trung viet phuoc
        dang 10 thien si tan chi hong khac phu van-anh 5 nam hoai kim ky lam nguyen thai thien-an
        tri vinh`,
      parts: GIVEN_PARTS,
      rarer: 300,
    },
    women: {
      listed: `370 thi 60 ngoc 40 thi-thanh 35 thanh thu 30 kim my 25 hong phuong minh 20 bich thuy
        khanh mai quynh 15 thi-ngoc thi-thu thi-kim hoang bao 12 xuan nhu thao 10 anh cam diem gia
        hai ha thi-hong thi-minh tuyet 8 dieu huyen kieu lan tram tu uyen yen 5 thi-my an dieu-linh
        hoai lam le linh nha phuc thi-tuyet thi-bich trang truc tuong vy`,
      parts: GIVEN_PARTS,
      rarer: 300,
    },
  },
  custom: { wifeTakes: 0, bothParents: false, juniors: 0, siblingsAlike: 0.4 },
  ages: '88 90 112 118 108 96 88 76 68 58 42 26 17 13',
  newYear: 0.03,
  phones: ['03########', '09########', '07########', '08########', '05########'],
  places: {
    city: 'Ho Chi Minh',
    region: '',
    zips: { first: 700000, step: 100, count: 22 },
    zipDigits: 6,
    streets: 4_500,
    usual: `nguyen-trai le-loi tran-hung-dao le-hong-phong nguyen-hue quang-trung ly-thuong-kiet
      hai-ba-trung nguyen-du phan-dinh-phung le-duan hoang-dieu ba-trieu nguyen-van-cu hung-vuong
      pham-ngu-lao nguyen-thi-minh-khai cach-mang-thang-tam dien-bien-phu vo-thi-sau tran-phu
      ngo-quyen le-lai ton-duc-thang nguyen-dinh-chieu ly-tu-trong truong-chinh hoang-hoa-tham
      phan-chu-trinh nguyen-van-troi le-thanh-ton nguyen-cong-tru huynh-thuc-khang to-hien-thanh`,
    streetParts: [
      'nguyen tran le pham vo bui dang ho ngo duong-so hem to phan truong cao ly',
      '- van thi dinh huu cong ngoc thanh quang',
      `an ba cao chi dao gia hai khoi lan mai nam phuc quy son tam tho uy vinh xuan yen 1 2 3 4 5 7
        9 11`,
    ],
    line: '{n} {s}',
    highest: 400,
    townParts: [
      `an binh cam cao chau dong duc ha hai hoa hung khanh kim lac long my nam ninh phu phuoc quang`,
      `an bac binh chau dai giang ha hoa khe lam loc my nam phu phong quy son tan thanh tri xuan
        yen`,
      '- - dong tay',
    ],
    towns: 700,
    second: { share: 0.7, text: 'phuong {a}' },
    estates: 0.05,
  },
};
