// Mexico. Surnames: the register of voters (INE, end of 2016: 3.4 of 83 million have Hernandez
// first) and births registered from 2017 to 2020 (INEGI). Given names: the frequent ones of that
// register and of yearly lists of INEGI, shares rounded. Ages: census of 2020, INEGI.
import type { People } from './people.ts';

export const MEXICO: People = {
  key: 'mexico',
  country: 'MX',
  surnames: {
    listed: `41 hernandez 30 garcia 29 martinez 27 lopez 25 gonzalez 22 perez 21 rodriguez 20
      sanchez 17 ramirez 13 cruz 12 flores gomez 10 morales vazquez 9.5 jimenez reyes 9 torres diaz
      8 gutierrez 7 mendoza ruiz aguilar ortiz 6.5 castillo moreno rivera ramos romero 6 chavez
      juarez mendez alvarez 5.5 dominguez herrera medina 5 castro vargas guzman munoz 4.5 contreras
      velazquez rojas salazar luna santiago 4 de-la-cruz guerrero ortega estrada bautista cortes
      3.5 soto alvarado rios silva santos leon lara avila espinoza delgado 3 valdez vega carrillo
      cervantes campos sandoval solis fuentes ayala nava salas pena navarro ibarra rosas 2.5
      miranda camacho acosta padilla trejo mejia maldonado robles rangel serrano cabrera nunez
      cardenas marquez molina figueroa 2 suarez valencia zamora rosales valenzuela villa montes
      escobar galvan pacheco franco huerta salinas duran calderon lozano montoya tapia cano velasco
      parra ochoa orozco beltran aguirre mora corona trujillo arellano meza barrera olvera 1.5
      bernal cuevas zavala quintero villegas arias esparza marin vera andrade benitez peralta roman
      lugo cordova tovar rubio gallegos bravo solano macias rocha chan esquivel barajas uribe
      blanco osorio villanueva sosa zuniga gallardo escobedo quiroz leyva pineda enriquez palacios
      murillo becerra galindo paredes bonilla pech ponce carmona reyna cisneros felix 1 correa
      guevara arroyo alonso roque merino segura santana toledo canul arredondo de-la-rosa coronado
      alcantara alfaro del-angel antonio vicente saucedo nieto de-leon tellez rosado zapata varela
      casillas marcos ceballos venegas plascencia mata garza treviño cantu elizondo garduno hurtado
      jaramillo jaimes magana may mercado moran ordaz pantoja quintana renteria salgado sierra
      tejeda urbina villarreal villalobos xool yanez zarate zepeda barron bello`,
    parts: [
      `a al ar ba be bo ca cha co da es fa ga gue he hi ja la le lu ma me mo na no o pa po qui ro
        sa so ta tri u va ve vi xi za`,
      `- bar ca do gui la le li lla ma mi mo na ni ño pa ra re ri rro sa sta te ti to tu va ve za`,
      `da do dez ga la les lez llo ma mez na nes nez no ra rez ro sco ta tes to va vo yo za zar`,
    ],
    rarer: 20_000,
  },
  eras: [
    {
      until: 1985,
      men: {
        listed: `62 jose 54.1 juan 33.3 luis 27.1 francisco 24 jesus 23 carlos 22 antonio manuel 21
          miguel 19 jorge 17 pedro 15.1 alejandro javier 14.2 roberto fernando 13.2 ricardo 12.3
          martin eduardo 11.3 arturo rafael 10.4 raul victor 9.51 sergio alberto daniel 8.61 david
          enrique mario ramon 7.73 gerardo hector oscar salvador 6.85 alfredo armando guadalupe
          5.99 jaime marco cesar ruben angel 5.14 guillermo gustavo felipe ignacio julio andres
          4.31 rodolfo pablo joaquin tomas alfonso agustin santiago hugo gabriel 3.5 ernesto felix
          lorenzo omar adrian vicente rogelio adolfo gilberto israel nicolas benito 2.71 ismael
          cruz marcos octavio ramiro moises saul abel samuel joel leonardo noe eugenio humberto
          isidro rene abraham efrain julian gregorio 1.96 edgar ivan domingo margarito porfirio
          aurelio cristobal fidel leopoldo federico ezequiel eliseo isaac mauricio norberto
          heriberto esteban bernardo cirilo emilio fermin filiberto german 1.23 adan alvaro anselmo
          bartolo cipriano clemente constantino dagoberto diego dionisio elias eusebio evaristo
          florentino gildardo hilario homero horacio jeronimo leobardo librado lino lucio macario
          marcelino marcelo mateo melquiades modesto pascual patricio paulino reynaldo rigoberto
          rodrigo roman rosendo rufino sabino sebastian silvestre simon teodoro trinidad ubaldo
          ulises valentin wenceslao zeferino`,
        parts: [
          'a e i o u ja le lo ma ne o ro so ta u ve',
          'bel dal lber mi ni ri ro si tan ve',
          'ardo berto elio iano ino io on rdo sto',
        ],
        rarer: 2_000,
      },
      women: {
        listed: `130 maria 25.5 guadalupe 19.9 juana 18 margarita 16.2 rosa 14.4 josefina 13.5
          martha veronica 12.7 teresa 11.8 leticia patricia elizabeth 10.9 francisca alicia gloria
          silvia 10.1 alejandra claudia carmen 9.2 ana adriana antonia 8.35 elena laura norma
          isabel 7.51 gabriela sandra irma yolanda luz 6.68 angelica araceli blanca esperanza
          rosario 5.86 dolores monica maricela lucia beatriz 5.05 graciela concepcion catalina
          cristina virginia mercedes 4.26 esther victoria petra rocio susana luisa eva amalia
          olivia lourdes consuelo 3.48 carolina lidia angela julia manuela guillermina magdalena
          ofelia estela elvira ines aurora cecilia soledad 2.71 alma amparo andrea bertha delia
          diana dulce elsa emma erika eugenia felipa hilda hortensia imelda irene isela josefa
          karina lilia lorena marcela maribel marina marisol miriam nancy natividad nora olga paula
          pilar raquel rebeca refugio reyna 1.97 aida alba amelia antonieta aurelia belen berenice
          brenda carlota celia clara cruz edith elvia enriqueta ernestina esmeralda estefania
          eulalia fabiola feliciana felicitas flor georgina gladys gregoria herlinda ignacia isaura
          ivonne jacinta jesus liliana lucina luciana lucila maura micaela minerva mireya nicolasa
          norberta oralia otilia paola perla rita rosalba rosalia rosalinda rufina sara socorro
          sofia sonia tomasa trinidad viviana yadira yesenia zenaida zoila`,
        parts: [
          'a ce e i li lu ma me ne o ro so ta vi',
          'bel da le li ma mi na ni re ri si ve',
          'a ana dia elia encia ida ina ita lia nia',
        ],
        rarer: 2_000,
      },
    },
    {
      men: {
        listed: `40 jose 30.9 juan 27.2 luis 22.5 jesus angel 21.3 carlos miguel 19.1 alejandro
          15.8 daniel jorge 14.8 eduardo 13.7 fernando francisco 12.7 diego david 11.7 antonio
          ricardo manuel 10.8 victor oscar 9.82 javier ivan christian 8.9 alberto roberto 7.99
          emmanuel marco cesar sergio 7.11 edgar erick hector raul 6.26 omar alan kevin brandon
          gerardo 5.44 adrian andres rafael santiago sebastian leonardo enrique pablo israel 4.65
          mario arturo hugo jonathan emiliano gabriel mateo rodrigo 3.89 alexis armando axel
          gustavo julio martin pedro ulises uriel 3.16 abraham bryan ernesto guillermo guadalupe
          ignacio isaac joel josue mauricio saul 2.48 aaron abel adolfo agustin aldo alfonso
          alfredo cristian cristobal edwin emilio felipe giovanni humberto ismael jaime joaquin
          joshua leonel nicolas noe osvaldo ramon ruben salvador samuel tomas yahir 1.84 alonso
          bernardo brayan brian damian dylan efrain elias esteban ezequiel fabian felix fidel gael
          german gilberto heriberto ian isaias jair jeremy julian kenneth lorenzo marcos matias
          maximiliano moises nestor octavio orlando oswaldo patricio paulo rene rey rigoberto
          rodolfo rogelio said santos tadeo tristan valentin vicente xavier 1.25 adan alvaro
          benjamin bruno dario derek eder elian eliseo erik esau evan favio fredy gregorio iker
          irving jared jesse jordan kevyn leon lucas marcelo milton misael ramiro roman tonatiuh
          vladimir yael zaid`,
        parts: [
          'a bra da e i ja ke le ma ne o ro so u ya',
          'bel dal lber mi ni ri ro si tan ve',
          'an ar el en er in io on or us',
        ],
        rarer: 3_000,
      },
      women: {
        listed: `66 maria 24.3 guadalupe 18.4 ana 14.5 fernanda 13.6 daniela 12.7 andrea 11.8 karla
          diana 10.8 alejandra jessica laura 9.95 karen gabriela sofia elizabeth 9.06 mariana
          valeria brenda 8.19 monica paola sandra adriana 7.33 claudia veronica esmeralda patricia
          rosa 6.48 carolina dulce itzel jazmin leticia erika 5.65 alma angelica araceli fatima
          isabel jacqueline nancy natalia wendy ximena 4.84 abigail beatriz cecilia estefania janet
          liliana montserrat rocio silvia yesenia vanessa 4.04 blanca camila cristina elena juana
          lizbeth lorena margarita martha maribel marisol michelle miriam norma perla regina renata
          sara susana teresa victoria viridiana yolanda 3.27 alicia alondra ariadna arely berenice
          carmen cinthia citlali cynthia edith eva evelyn fabiola flor gloria ingrid irma ivonne
          julia karina lidia lucia luz magdalena melissa nayeli olivia pamela raquel reyna rosario
          ruth sonia tania yadira yareli 2.52 aide aimee amairani america anahi angela anel aurora
          betsabe celeste danna dolores elsa elvira emma esther frida georgina gisela graciela
          guillermina hilda ines irene isela jimena josefina judith julieta kenia leslie lilia
          lourdes luisa mayra mercedes minerva mireya naomi noemi nallely olga paulina paulette
          rebeca romina rubi samantha selene sharon stephanie valentina virginia xochitl yamileth
          yaretzi yuridia zaira zoe`,
        parts: [
          'a da e i ja ka li ma na o ro sa ta va ya ze',
          'bel da le li mi na ni re ri ssi ve',
          'a ana el elia eth ia ina is ith li ra y',
        ],
        rarer: 3_000,
      },
    },
  ],
  secondName: { share: 0.55, together: 0.75, leads: false },
  custom: { wifeTakes: 0, bothParents: true, juniors: 0.08, siblingsAlike: 0.25 },
  ages: '116 112 105 98 92 89 83 74 65 57 44 32 20 13',
  newYear: 0.01,
  phones: ['55########', '56########', '722#######', '33########', '81########'],
  places: {
    city: 'Ciudad de Mexico',
    region: 'CDMX',
    zips: { first: 1000, step: 13, count: 1_150 },
    zipDigits: 5,
    streets: 22_000,
    usual: `benito-juarez miguel-hidalgo emiliano-zapata francisco-i-madero morelos
      vicente-guerrero independencia 5-de-mayo 16-de-septiembre lazaro-cardenas francisco-villa
      revolucion reforma venustiano-carranza ignacio-allende alvaro-obregon constitucion
      insurgentes niños-heroes josefa-ortiz ignacio-zaragoza cuauhtemoc guadalupe-victoria aldama
      matamoros galeana abasolo 20-de-noviembre adolfo-lopez-mateos nicolas-bravo pino-suarez
      la-paz las-flores rosales norte-1 norte-2 sur-1 sur-2 oriente-1 oriente-2 poniente-1
      poniente-2 cedro fresno pino roble`,
    streetParts: [
      `cerro- lago- rio- privada-de- cerrada-de- prolongacion- calle- general- doctor- paseo-
        sierra-
        villa-`,
      'a ba ca co cha del gua hui ja la ma na oa po que san ta tla to xa xo za',
      `ca co cingo cutli lan le lco lpan mas mita nango pa pan pec rro tla titlan tepec titan yac
        yo`,
    ],
    line: '{s} {n}',
    highest: 400,
    townParts: [
      `a ama cha coa chi hua ixta jalo mexi oco ote san-juan san-pedro santa-maria tehua tla toto
        tux zaca`,
      'ba can co cal cha la lpa ma na po que ra ta tla yo za',
      'can co cingo l lan ltepec mulco nango pan tan titlan tepec ya yo',
    ],
    towns: 2_400,
    second: { share: 0.75, text: 'colonia {z}' },
    estates: 0.1,
  },
};
