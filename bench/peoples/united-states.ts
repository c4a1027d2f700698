// United States. Surnames: Census Bureau, Frequently Occurring Surnames 2010 (Smith 0.83 %). Given
// names: Social Security Administration, births of 1940 to 1970 and since; shares rounded. Ages:
// Census Bureau, estimate of 2022.
import type { People } from './people.ts';

export const UNITED_STATES: People = {
  key: 'unitedStates',
  country: 'US',
  surnames: {
    listed: `8.3 smith 6.6 johnson 5.5 williams 4.9 brown 4.8 jones 3.95 garcia 3.9 miller 3.8
      davis 3.7 rodriguez 3.6 martinez 3.5 hernandez 3 lopez 2.85 gonzalez 2.7 wilson 2.66 anderson
      2.56 thomas taylor 2.45 moore 2.4 jackson martin lee 2.3 perez 2.25 thompson white 2.1 harris
      sanchez 1.9 clark ramirez 1.8 lewis robinson walker 1.65 young allen 1.57 king wright 1.48
      scott torres nguyen hill flores green adams nelson 1.42 baker 1.37 hall rivera campbell
      mitchell 1.3 carter roberts 1.25 gomez phillips evans turner diaz 1.2 parker cruz edwards
      collins reyes 1.15 stewart morris morales murphy 1.1 cook rogers gutierrez ortiz morgan
      cooper 1.06 peterson bailey reed kelly howard ramos kim cox ward 1 richardson watson brooks
      chavez wood james bennett gray mendoza ruiz hughes 0.95 price alvarez castillo sanders patel
      myers long ross foster jimenez 0.85 powell jenkins perry russell sullivan bell coleman butler
      henderson barnes 0.8 gonzales fisher vasquez simmons romero jordan patterson alexander
      hamilton graham reynolds griffin wallace 0.75 moreno west cole hayes bryant herrera gibson
      ellis tran medina aguilar stevens murray ford 0.7 castro marshall owens harrison fernandez
      mcdonald woods washington kennedy wells vargas henry chen freeman webb tucker guzman burns
      crawford olson simpson porter hunter gordon mendez silva shaw snyder mason 0.62 dixon munoz
      hunt hicks holmes palmer wagner black robertson boyd rose stone salazar fox warren mills
      meyer rice schmidt garza daniels ferguson nichols stephens soto weaver ryan gardner payne
      grant dunn kelley spencer hawkins arnold 0.55 pierce hansen peters santos hart bradley knight
      elliott cunningham duncan armstrong hudson carroll lane riley andrews alvarado ray delgado
      berry perkins hoffman johnston matthews pena richards contreras willis carpenter lawrence
      sandoval guerrero george chapman rios estrada ortega watkins greene 0.5 nunez wheeler valdez
      harper burke larson santiago maldonado morrison franklin carlson austin dominguez carr lawson
      jacobs obrien lynch singh vega bishop montgomery oliver jensen harvey williamson gilbert dean
      sims espinoza howell li wong reid hanson le mccoy garrett burton fuller wang weber welch
      rojas lucas marquez fields park yang little banks padilla day walsh 0.42 bowman schultz luna
      fowler mejia davidson acosta brewer may holland juarez newman pearson curtis cortez douglas
      schneider joseph barrett navarro figueroa keller avila wade molina stanley hopkins campos
      barnett bates chambers caldwell beck lambert miranda byrd craig ayala lowe frazier powers
      neal leonard gregory carrillo sutton fleming rhodes shelton schwartz norris jennings watts
      duran walters cohen mcdaniel moran parks steele vaughn becker holt deleon barker terry hale
      leon hail benson haynes horton miles lyons pham graves bush thornton wolfe 0.36 warner
      cabrera mckinney mann zimmerman dawson lara fletcher page mccarthy love robles cervantes
      solis erickson reeves chang klein salinas fuentes baldwin daniel simon velasquez hardy
      higgins aguirre lin cummings chandler sharp barber bowen ochoa dennis robbins liu ramsey
      francis griffith paul blair oconnor cardenas pacheco cross calderon quinn moss swanson chan
      rivas khan rodgers serrano fitzgerald rosales stevenson christensen manning gill curry
      mclaughlin harmon mcgee gross doyle garner newton burgess reese walton blake trujillo adkins
      brady goodman roman webster goodwin fischer huang potter delacruz montoya todd wu hines
      mullins castaneda malone cannon tate mack sherman hubbard hodges zhang guerra wolf valencia
      saunders`,
    parts: [
      `a al ar ba bar be ben bla bo bra bren bu ca cal car cha che cla co col cra cro cu da de do
        dra du e el fa far fe fi fla fo fra fu ga ge gi gla go gra gu ha har he hi ho hu ja ka ke
        ki ko kra ku la le li lo lu ma mc mar mi mo mu na ne ni no o pa pe pi po pra pu ra re ri ro
        ru sa sca sha she si sla so spa sta ste sto stra su ta te ti to tra tu va ve vi wa we wi wo
        ya za`,
      `- b ber c ck d der g gan k l le ll lla m man mb n nde ne nn r re ri rr s se ss t te th tt v`,
      `ak an ard back berg bert by den der din don er erson es ett ey field ford gan ger ham hart
        her ing ington ins kin kins ko land ler ley lin ling low man mer mond more ner ng oni os ow
        rell ren ro shaw ski son stein ster ston ton vich ville ward way well wick win
          wood worth y`,
    ],
    rarer: 150_000,
  },
  eras: [
    {
      until: 1975,
      men: {
        listed: `44 james 41.4 john michael 40.1 robert 35.1 david 33.9 william 23.3 richard 17.8
          thomas 13.7 mark 12.7 charles steven 11.8 gary joseph donald 10.8 ronald kenneth 9.9 paul
          larry daniel 8.99 stephen dennis timothy edward 8.1 jeffrey george gregory kevin 7.23
          jerry terry 6.38 anthony douglas brian 5.57 scott roger raymond 4.77 bruce frank patrick
          peter walter 4.01 carl keith lawrence randy gerald harold andrew wayne 3.28 arthur ralph
          jose willie joe jack henry albert roy eric christopher eugene billy johnny 2.59 louis
          todd craig ronnie alan glenn danny phillip russell jimmy bobby stanley samuel fred ernest
          howard 1.93 martin randall leonard matthew tony ricky philip victor rodney dale earl
          vincent francis norman allen leroy barry curtis harry jon dean marvin juan carlos 1.33
          melvin clarence herbert frederick jim mike ray alfred clifford don leon lee edwin lloyd
          dwight gene darrell steve kurt rick luis manuel antonio bernard tommy theodore duane
          jesus gordon warren lewis francisco bill calvin leslie robin kim harvey brent ruben 0.784
          adam alvin angel arnold ben benjamin brad bradley brett byron cecil chester chris clayton
          clyde claude clifton darryl daryl derrick duncan edgar elmer everett felix floyd franklin
          fernando garry geoffrey gilbert glen greg guy hector herman homer hugh ian ira ivan jay
          jeff jerome jessie joel jonathan jorge julian julio karl kelly ken kent kirk lance
          laurence lester lonnie lyle marc marcus mario marshall matt maurice max micheal miguel
          milton mitchell morris nathan neil nelson nicholas oscar otis pedro perry rafael ramon
          randolph raul rene rex roberto roland ron ross roman rudolph salvador sam sean seth shawn
          sidney stuart ted tim tom tracy troy vernon virgil wallace wendell wesley`,
        parts: [
          `a al ar be bo bra ca cla da de do e fe ga ha je ke la le ma mi na o ra ro sha ter va wi`,
          '- be der dri la le li mi na ne ri ro va',
          'bert ck don l lan ley mond n ne nce ny on rd rick ron ry s ton vin y',
        ],
        rarer: 4_000,
      },
      women: {
        listed: `38 mary 28 linda 23.2 patricia 22.1 susan 18.7 deborah 17.6 barbara 16.6 karen
          14.4 debra nancy 13.4 donna lisa 12.4 cynthia sandra 11.4 pamela sharon 10.4 kathleen
          carol diane 9.48 brenda cheryl elizabeth 8.54 janet kimberly carolyn 7.63 kathy margaret
          janice judith 6.75 judy betty joyce christine 5.89 catherine shirley denise beverly 5.05
          gloria theresa jane jean julie bonnie rebecca ann peggy 4.25 laura martha rose connie
          virginia cathy joan diana michelle gail dorothy maria 3.48 debbie rita phyllis ellen
          frances marilyn anne wanda teresa victoria robin rhonda lori tammy jacqueline alice 2.75
          sherry helen paula annie sheila sally jo darlene jennifer elaine angela dawn lynn valerie
          melissa ruth amy sarah 2.06 anita lois norma evelyn kathryn marie suzanne wendy sylvia
          terri tina marcia vicki vickie charlotte yvonne joanne rosemary roberta loretta 1.42
          annette carla carmen claudia colleen constance crystal cindy eileen eleanor glenda
          gwendolyn heidi irene jeanne jill juanita june kelly laurie leslie louise maureen melanie
          monica rachel regina renee rosa sara sherri sue stephanie tamara tracy veronica vivian
          yolanda geraldine jan jackie doris edna jeanette stacy 0.84 alma amanda andrea anna
          antoinette arlene audrey becky belinda bernadette bernice bertha betsy billie candace
          carole caroline cassandra cecilia charlene christina clara cora daisy dana daphne deanna
          delores dianna dianne dolores edith elsie emily emma erin esther ethel eva fay felicia
          florence gayle georgia geneva gina ginger grace guadalupe gwen hazel heather hilda holly
          ida jamie jeannie jessica jodi josephine joy juana julia kathie katherine kay kim krista
          kristin lana leah lena leona lillian lorraine lucille lucy lydia lynda lynne mabel
          marcella margie marian marjorie marlene marsha mattie maxine melinda mildred miriam myra
          nadine natalie naomi nina nora olga pam patsy patti pat paulette pauline pearl penny
          priscilla ramona rosalie rosie roxanne sabrina shelia shelley shelly sonia stella susie
          thelma therese toni tonya vanessa velma vera verna violet willie wilma`,
        parts: [
          `a al an be bri ca cla da de do e ge i ja jo ka la le lo ma mi na o ra ro sha te va wi`,
          '- be da de la le li lo mi na ne ri ro ver',
          'a anne da dra elle ene etta ia ie ina is la leen lyn na nda ne ra sa tte y',
        ],
        rarer: 5_000,
      },
    },
    {
      men: {
        listed: `24 michael 19.6 christopher 18.1 matthew 16.8 joshua 14.1 david james 12.9 daniel
          john 11.7 robert joseph andrew 10.5 ryan jason 9.38 william brandon nicholas justin 8.3
          jonathan anthony brian 7.26 tyler kevin eric thomas 6.27 adam timothy zachary steven
          alexander 5.34 benjamin richard jeremy jeffrey jacob kyle aaron charles mark 4.46 nathan
          jose scott samuel stephen patrick sean jordan 3.63 travis paul austin cody dustin gregory
          kenneth christian jesse bryan juan 2.87 ethan noah dylan logan jared cameron derek edward
          bradley shawn peter marcus luis gabriel chad ian evan 2.17 alex antonio carlos nathaniel
          caleb lucas trevor victor cory keith phillip ronald shane george joel corey adrian mason
          elijah liam jack isaac hunter 1.54 aidan alejandro angel blake brett cole connor devin
          dominic donald douglas erik garrett gary henry isaiah jackson jeremiah jesus johnny
          julian larry luke miguel mitchell raymond seth spencer tanner vincent wesley xavier chase
          casey craig frank dennis 0.992 allen andre brady brent brendan bryce carson carter chris
          clayton clinton colin colton curtis dakota dalton damian darius darren derrick dillon
          drew edgar edwin eduardo eli emmanuel erick fernando francisco francis gavin geoffrey
          grant gage hayden hector ivan jaime jake jaden jay jerry jimmy jorge josiah josue julio
          karl kaleb kelly lance landon lee leonardo levi lawrence louis malik manuel marco mario
          martin max maxwell micah miles nolan omar oscar owen parker pedro philip preston raul
          ricardo ricky roberto roger ross russell ruben sebastian sergio skyler stanley steve
          taylor terry theodore todd tony troy wyatt walter 0.533 abraham alan albert alberto alec
          alfredo allan alvin amir armando arthur arturo asher ashton avery axel barry beau billy
          bobby braden brad branden brennan brock bruce bryant byron calvin cesar chance charlie
          chandler clay clifford colby conner cooper damon danny darrell darryl dean demetrius deon
          desmond diego dominick donovan duane dwayne easton elias emanuel enrique ernest esteban
          eugene ezekiel ezra fabian felix frederick gerald gerardo giovanni glenn graham gustavo
          harold harrison harry howard hudson hugo israel ismael jace jameson jarrett javier jayden
          jermaine jerome joe jon jonah kaden kayden keegan kendrick kent kurt lamar leon lincoln
          lorenzo lonnie marc marshall marvin mathew maurice mauricio melvin moises neil nelson
          nicolas orlando pablo quentin quinn rafael ralph ramon randall randy rene rodney roland
          roman ronnie rory roy salvador saul simon terrance terrence tommy tristan tyrone tyson
          vernon warren wayne willie zane`,
        parts: [
          `a al ar be bo bra ca cay da de do e ja jay ke ky la le ma mi na o ra ro sha
            tre ty va za`,
          '- be de dri la le li mi na ne ri ro va vo',
          'den don l lan len ley n ne nce ny on quan rick ron ry sean shawn ton vin vion yn',
        ],
        rarer: 15_000,
      },
      women: {
        listed: `19 jessica 17.5 jennifer ashley 14.6 amanda 13.2 sarah 11.9 melissa stephanie 10.6
          nicole elizabeth 9.37 emily heather 8.2 samantha michelle 7.08 rachel amber megan lauren
          kimberly kayla 6.02 christina rebecca laura hannah 5.02 danielle brittany amy tiffany
          alexis emma crystal erin 4.09 courtney kelly victoria maria anna andrea katherine madison
          taylor olivia jamie angela 3.23 sara abigail chelsea lisa mary vanessa natalie jasmine
          allison kathryn erica katie julie shannon 2.44 alexandra alyssa sophia isabella grace ava
          christine lindsey lindsay morgan haley destiny sydney kristen april natasha brianna tara
          julia caitlin monica veronica jacqueline diana brooke 1.73 mia chloe ella kaitlyn
          kathleen patricia karen susan leah molly paige savannah sierra gabrielle caroline
          cassandra catherine holly krystal leslie marissa melanie meghan miranda misty autumn
          bethany candice casey cynthia dana dawn desiree ebony faith gabriela hailey jordan jenna
          kristin kristina margaret mackenzie mariah maya nancy sandra selena stacy tamara teresa
          whitney zoe lily addison 1.11 adriana aimee alicia alison amelia ana angel angelica
          arianna ariel aubrey audrey avery bailey bianca breanna brandi brandy brenda briana
          bridget brittney carly carmen carolyn charlotte cheyenne christy claire claudia colleen
          cristina daisy daniela deanna deborah denise diamond elena ellen evelyn felicia gina
          heidi hope jade jaclyn jane jasmin jillian jocelyn jordyn joy juliana kaylee kara karina
          karla kate katelyn kelsey kendra kiara kirsten krista kylie kyla latoya layla lacey linda
          lori lucy lydia makayla mallory margarita marisa martha mercedes meredith michaela
          mikayla monique nina nora peyton priscilla raven regina renee riley robin rosa ruby ruth
          sabrina sadie sasha serena shana sharon shelby sherry skylar sophie stella summer susana
          tabitha tanya tatiana tina toni tracy trinity valerie wendy yesenia yolanda 0.595
          adrienne alana alejandra alice aliyah alma amaya amie ann anastasia angelina anita anne
          annie antoinette asia athena audra barbara belinda bonnie britney camille candace carla
          carrie cassidy cecilia charlene charity christa christian ciara clara claudette connie
          cora corinne dakota darlene devon dominique donna eleanor elise eliza ellie esmeralda
          esther eva eve fatima fiona francesca genesis georgia giselle gloria gwendolyn hazel
          helen imani ingrid irene iris isabel ivy jackie jada janelle janet janice jayla jazmin
          jeanette jessie jill joanna jodi josephine joyce judith june kaitlin karissa kassandra
          kathy kay keisha kellie kelli kendall kenya kira kristi latasha leila liliana london
          lorena lucia luz mabel maddison marie mariana marina marlene maureen maxine mindy miriam
          nadia naomi nevaeh noelle norma paola paris penelope perla piper quinn rebekah reagan
          rita rose sally scarlett shawna sheena shelly sheila sonia stacey stacie susie tasha
          taryn theresa tiana tonya traci violet virginia vivian yvette yvonne`,
        parts: [
          `a al an be bri ca da de do e i ja jo ka ky la le lo ma mi na o ra ro sha te ta va xi za`,
          '- be da de ke la le li lo mi na ne ri ro ri ver',
          `a anne da dra elle ene etta ia ie ina isha is la leigh lyn na nda ne ni ra sa tte y yah`,
        ],
        rarer: 20_000,
      },
    },
  ],
  secondName: { share: 0.5, together: 0.03, leads: false },
  custom: { wifeTakes: 0.78, bothParents: false, juniors: 0.03, siblingsAlike: 0.05 },
  ages: '82 82 84 88 86 82 74 76 78 82 76 64 50 34',
  newYear: 0.01,
  phones: ['312#######', '773#######', '630#######', '847#######', '708#######'],
  places: {
    city: 'Chicago',
    region: 'IL',
    zips: { first: 60601, step: 1, count: 60 },
    zipDigits: 5,
    streets: 3_400,
    usual: `second-street third-street first-street fourth-street park-avenue fifth-street
      main-street sixth-street oak-street seventh-street pine-street maple-street cedar-street
      eighth-street elm-street view-road washington-street ninth-street lake-street hill-road
      walnut-street spring-street north-street ridge-road lincoln-avenue church-street
      willow-street mill-road sunset-drive cherry-lane highland-avenue jackson-street center-street
      forest-drive jefferson-street chestnut-street river-road south-street`,
    streetParts: [
      `al ar ash bea ber bra bri bur cam can car chi clar col cor cros dan dea div el ever fair far
        fos fre gar glen gran ham har haw hol ir jo ken ker king la lar law lea lor mar mea mont
        nor oak pau ra rock ros sal shef sher spri sun tal tho ver wa wil win wood`,
      '- a ber bo by den der e field i ing land ler ling ly man more ning ter ton',
      '-avenue -street -road -drive -lane -court -place -avenue -street -drive',
    ],
    line: '{n} {s}',
    highest: 6_000,
    townParts: [
      `al ash au ba bel ber bra bridge bur cam can car cen char chat clay cle co cor da de dun ea
        el fair fla fran free ge glen green ha har hen hill hu jack ka ken king la lan lex lin long
        mad mar mid mil mon mount new nor oak or ox pal park plain por ra rich river ro sa sher
        south spring sta sun tal tren tro up ver wa west wil win wood york`,
      '- ber bor den der ing ling n s ter ven',
      `brook burg bury dale field ford grove ham heights land mont mouth port ridge side springs
        ton view ville water wood worth`,
    ],
    towns: 9_000,
    second: { share: 0.3, text: 'apt {b}' },
    estates: 0.1,
  },
};
