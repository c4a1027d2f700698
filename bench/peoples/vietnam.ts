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
    listed: `384 nguyen 101.8 tran 87.1 le 63 pham 26.5 hoang 16.7 huynh 39.4 phan 18.4 vu 14 vo
      17.5 dang 16.7 bui 11.4 do 10.5 ho ngo 7.98 duong 3.82 ly 7.14 truong 5.47 dinh 4.64 doan lam
      3.82 mai trinh dao cao ha luong luu to 3.02 thai chau ta phung quach vuong thach 2.22 tang
      kieu la quan nghiem diep bach le-van hua tong 1.45 trieu ma nong lu au giang danh khuat vi
      kim chu mac an lo ton lai nhan`,
    parts: GIVEN_PARTS,
    rarer: 200,
  },
  eras: [
    {
      until: 1985,
      men: {
        listed: `32 hung 29.9 dung 25.8 minh 23.7 tuan 22.7 hai 21.6 thanh 20.6 son 19.6 long cuong
          18.6 thang 17.5 hoa 16.5 hieu binh 15.5 nam duc tam 14.5 phuong 13.5 phong tien tung 12.5
          kien quang vinh 11.5 trung 10.5 tai loc an 9.48 phuc thinh lam viet dat hoang 8.49 khanh
          nghia huy toan thuan 7.51 quan cong dong 6.53 chien chinh hanh ky thang khoa linh sang
          tho tri truong 5.56 bao ha hau hoan lap loi luan ngoc nhan phat quy quyen sy tan thai thu
          4.59 bac bang chung cuong-anh danh dien giang hau-loc hien hoai khai khiem luc man ngan
          nguyen nhat phu sau so tinh ton tru ut xuan 3.64 ba bay bon chau diep doan hai-son hiep
          hon kha lan ly muoi nhon ninh quoc tuyen tu vuong y`,
        parts: GIVEN_PARTS,
        rarer: 600,
      },
      women: {
        listed: `36 lan 33.6 huong 28.9 hoa 26.6 mai 25.4 hanh 23.2 thuy 22 nga 20.9 hong 19.8 ha
          18.8 phuong 17.7 thu yen 16.6 hang 15.6 loan tuyet 14.5 dung 13.5 hien oanh 12.5 anh van
          thanh 11.5 lien ngoc xuan 10.5 nhung cuc huyen 9.53 linh tam trang 8.58 binh giang nguyet
          7.64 chi hue lieu my tam thao minh 6.73 bich diep dao ngan nhan 5.84 hai hao hoai kim
          quyen sen tinh thoa 4.96 be chau duyen hau khanh le luyen ly mui na nhu phi quynh sang
          thom tho tien tu uyen 4.12 an ba bong cam chinh dep ghi gai hien-lan ket kieu lai lam loi
          luong man mien ne ngoan nu phan phuc que son sau suong tham thuan tram tu-anh tuyen uoc
          ut vinh xinh 2.52 bay bon dong hoan luu mo nam nguyen nhi nhon to`,
        parts: GIVEN_PARTS,
        rarer: 600,
      },
    },
    {
      men: {
        listed: `36 anh 33.5 huy 28.6 minh 26.2 duc 25 nam 23.9 dat 22.7 hieu 21.6 hung 19.3 long
          hoang 18.2 tuan 17.1 khang bao 16.1 dung 15 quan son khoa 14 phuc trung 12.9 thang thanh
          phong 11.9 thinh kien 10.9 kiet khanh nghia 9.94 tai tung cuong 8.98 an hai linh nhan
          vinh duy 8.05 viet quang bach lam 7.14 loc tien toan phat nhat 6.25 quoc tri truong hao
          binh phu tin thien 5.38 thai cong tan sang duong danh 4.55 trong khai hoa ngoc giang tu
          bang luan chien quy hau tuyen 3.74 dong vu vuong y khiem dang manh tam thuan su lap doan
          chau khoi luong sy the ky thuc trieu phuong 2.97 nguyen van ninh chinh cuong-thinh du gia
          hien hoan loi luc nghi nhan-duc sinh tho tuong 2.24 hien-minh chi dinh dai di hon kha lan
          ly men ngan phuoc quyen sen sung thu tinh triet vy`,
        parts: GIVEN_PARTS,
        rarer: 600,
      },
      women: {
        listed: `44 anh 39.2 linh 32.1 trang 25.3 huong 23.1 phuong 22 ngoc 20.9 thao 19.9 ha 18.8
          nhi 17.8 ngan 16.8 my huyen 15.7 vy hang 14.7 mai nhung thuy 13.7 yen quynh tram 12.7 chi
          chau lan van 11.8 thu giang nhu 10.8 hoa hien tien 9.88 uyen trinh 8.96 hanh han thanh ly
          8.05 dung nga duyen vi 7.17 khanh tram-anh tam minh bich diep 6.3 an my-linh kim oanh
          hong y 5.45 tuyet phuc nguyen thuong loan kieu 4.63 lam xuan lien dan le tu truc thi khue
          hue 3.83 binh cam dao ngan-ha hoai hau suong que tuyen vinh tho tuong ai di phung 3.07
          bao doan gia hai hao huong-giang kha luong man mi na nguyet quyen sang son tinh to tri
          viet vu 2.33 be chinh dong giao hoan ket khuyen lai lieu loi luyen nam ninh phi phuoc sen
          tham thoa tue tuy uyen-nhi xinh`,
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
      listed: `190 van 51.3 duc 46.4 minh 41.7 quang huu 37 dinh 32.3 thanh hoang xuan 27.8 ngoc
        23.3 quoc anh 19 cong trong tuan 14.7 ba duy manh the tien 10.6 hai gia hung nhat bao 8.23
        trung viet phuoc dang 6.69 thien si tan chi hong khac phu van-anh 3.05 nam hoai kim ky lam
        nguyen thai thien-an tri vinh`,
      parts: GIVEN_PARTS,
      rarer: 300,
    },
    women: {
      listed: `370 thi 48.8 ngoc 31.1 thi-thanh 26.8 thanh thu 22.6 kim my 18.4 hong phuong minh
        14.4 bich thuy khanh mai quynh 10.4 thi-ngoc thi-thu thi-kim hoang bao 8.14 xuan nhu thao
        6.65 anh cam diem gia hai ha thi-hong thi-minh tuyet 5.19 dieu huyen kieu lan tram tu uyen
        yen 3.07 thi-my an dieu-linh hoai lam le linh nha phuc thi-tuyet thi-bich trang truc tuong
        vy`,
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
      'nguyen- tran- le- pham- vo- bui- dang- ho- ngo- to- phan- truong- cao- ly-',
      '- van- thi- dinh- huu- cong- ngoc- thanh- quang-',
      `an ba cao chi dao gia hai khoi lan mai nam phuc quy son tam tho uy vinh xuan yen 1 2 3 4 5 7
        9 11`,
    ],
    line: '{n} {s}',
    highest: 400,
    townParts: [
      `an binh cam cao chau dong duc ha hai hoa hung khanh kim lac long my nam ninh phu
        phuoc quang`,
      `an bac binh chau dai giang ha hoa khe lam loc my nam phu phong quy son tan thanh tri xuan
        yen`,
      '- - dong tay',
    ],
    towns: 700,
    second: { share: 0.7, text: 'phuong {a}' },
    estates: 0.05,
  },
};
