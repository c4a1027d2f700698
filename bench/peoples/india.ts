// India. Surnames: shares of the electoral rolls as genealogical lists count them (some 5 % of all
// have Devi, that is 10 % of women). Given names: ranks of the same rolls, shares rounded. All
// regions, as of a marketplace of the whole country. Ages: the Registrar General, for 2021.
import type { People } from './people.ts';

export const INDIA: People = {
  key: 'india',
  country: 'IN',
  surnames: {
    listed: `52 kumar 47.8 singh 16.8 das 13.9 ram 12.9 yadav 11.9 sharma 10.9 lal khan 9.97 patel
      9.01 prasad mondal 8.05 ali gupta 7.1 verma patil sahu 6.16 shaikh rao reddy sah 5.23 mandal
      mahto ansari pal jadhav roy chauhan naik 4.31 raj rathod joshi ghosh mishra pawar nayak
      behera saha thakur shinde shah paswan ahmed hussain 3.4 rai chaudhary biswas pandey tiwari
      raju sarkar kale more jain pradhan gaikwad solanki parmar chavan kamble babu pillai nair
      barman dey hossain mahato rana soni 2.5 bano sk tudu murmu hansda rajput dubey shukla
      srivastava gowda desai bhosale deshmukh kulkarni meena gurjar jat choudhary kushwaha maurya
      vishwakarma prajapati vasava makwana thakor bariya vaghela zala malik mohammad siddiqui
      pathan sayyed qureshi sheikh munda oraon majhi sethi panda mohanty swain sahoo rout dash jena
      barik das-gupta dutta bose sen kar 1.63 nath bora kalita gogoi saikia deka hazarika boro
      narayanan krishnan subramanian iyer rajan murugan selvam kannan velu raman mani perumal
      arumugam ganesan shetty hegde bhat kamath pai menon varghese thomas mathew joseph george john
      philip chacko kurian antony naidu chowdary varma goud sastry murthy swamy gopal shankar mohan
      anand chandra prakash bhatt trivedi dave mehta modi parikh pandya rathva chaudhari wagh
      salunkhe mane kadam sawant gawade bhagat dhawan kapoor khanna malhotra arora chopra bhatia
      kohli gill sandhu sidhu dhillon grewal brar bajwa aggarwal goyal bansal mittal garg jindal
      saxena mathur bhatnagar nigam rastogi tripathi dwivedi chaturvedi upadhyay ojha jha mehto 1.2
      rawat negi bisht thapa gurung tamang lama chettri subba toppo kujur ekka kisku soren hembram
      marandi besra baskey mardi linda minz kerketta lakra tirkey`,
    parts: [
      `a ba bha cha de dha ga go gha ha ja ka kha la ma na pa pra ra sa sha su ta tha u
        va ve vi ya`,
      '- bha da dha ga ja ka la li ma na nda ngi pa ra ri rma sa sha tha va ya',
      `al an ani ar at dar di gar iya ka kar lkar li m n nath ni r ra rao t te wal wala wat ya yan`,
    ],
    rarer: 30_000,
  },
  eras: [
    {
      men: {
        listed: `9 rajesh ram 7.9 mohammad sanjay 7.35 suresh ramesh 6.81 anil vijay sunil ashok
          6.27 rakesh santosh manoj 5.74 raju dinesh mukesh ajay rahul 5.21 amit mahesh ravi vinod
          4.69 abdul deepak pradeep sandeep sachin arun 4.17 pankaj krishna prakash rajendra ganesh
          3.66 jitendra kamal manish naresh raj shankar shiv subhash umesh vikas vishal 3.16 anand
          dilip gopal hari jagdish kiran kishor lakshman mohan narendra naveen prem rohit satish
          sunny surendra vinay yogesh 2.66 ajit akash akhilesh amar arvind ashish babu bablu bharat
          brijesh chandan dharmendra govind harish hemant imran irfan kailash kuldeep lokesh mithun
          mohit mukhtar nitin om pawan praveen pramod rajkumar rajeev sagar salman sanjeev shyam
          sonu sourav subrata sudhir tapan upendra virendra 2.18 aditya ankit ankur aslam balram
          bhola birendra devendra gaurav gautam girish harendra hitesh irshad jagannath jai jayesh
          karthik kartik lalit madan mahendra manohar mehul mithilesh munna nagesh nand narayan
          nikhil nilesh niranjan prashant puran raghu rajan rajat rakib ramchandra ranjit rinku
          rohan sahil samir sanju sarfaraz shahid shivam shubham somnath srinivas sudhakar sukumar
          sushil swapan tarun uttam vikram vivek yash yusuf 1.7 abhijit abhishek afzal akbar alok
          amol anup arjun asif atul bapi basant bhaskar bikash bimal biswajit chetan dev dhananjay
          dipak dulal faizan feroz ghanshyam gurpreet harpreet hasan inder ismail jaspal jayanta
          jignesh joseph kalyan karim kaushik ketan khalid kumaran mahadev mangal mani mansoor
          murali murugan nadeem nagaraj najim nasir nazim nirmal palash parth paul pintu rafiq
          raghav rahim raman ramlal ratan rishi ritesh riyaz rupesh sadiq saleem samuel sanjoy
          senthil shakeel sharad shekhar siddharth sohan sudip suman sumit sundar tushar uday
          vasant venkatesh venkat vipin waseem zakir`,
        parts: [
          'a an ba bha cha da de ga ha i ja ka la ma na ni pa ra sa shi su ta u va vi',
          '- bha de dha ga ja ka la li ma na ni pa ra ri sha su va ya',
          'an ant ash bir deep dev esh endra in it jan jit lal m n nath r raj sh t',
        ],
        rarer: 8_000,
      },
      women: {
        listed: `12 sunita 10.9 anita 9.74 lakshmi 8.63 sita geeta 7.54 rekha sangeeta asha 7 pooja
          manju radha 6.47 kavita mamta savitri 5.94 meena usha kiran 5.42 pushpa neha suman urmila
          4.9 priya rani santosh shanti poonam seema 4.4 babita jyoti kamla mina parvati renu
          saraswati sarita 3.9 aarti bimla kanchan lalita laxmi mala nirmala priyanka ranjana reena
          rita sushila vimla 3.4 anju aruna basanti bharti champa deepa durga gita indu kalpana
          kanta madhu maya munni nisha phool puja rina ritu sharda shakuntala shobha sonia sudha
          uma 2.92 ankita archana chanda gayatri hema jaya kajal krishna kusum lata leela mangala
          meera mumtaz nasreen nazma neelam parveen payal prabha pratima preeti pinki rajni ruksana
          sabita salma sandhya shabana shaila sheela swati tara vandana vidya 2.45 aisha alka amina
          anjali anuradha bhavna bina chandra dipali fatima gulab hasina jamuna jasmine kala kamini
          khushbu kiranmayi komal lila malati manisha minu monika naina nanda nikita padma pallavi
          pramila pratibha radhika rajeshwari rashida razia roshni rupa sabina sadhana sakina sapna
          saroj savita shalini shehnaz shilpa shweta sita-ram smita sneha soni sonam sujata
          sulochana sumitra supriya sushma tulsi urvashi varsha vaishali vijaya yasmin zarina 1.54
          afreen ambika amrita anamika anjana aparna bhagyashree bindu chitra damini devika divya
          farida farzana gangabai gauri girija gurmeet harjeet heena ila jayanti jhuma kalyani
          kamala kasturi kausalya khadija kunti madhuri mahima mallika mamata mandeep manjula
          manpreet mary megha mona mridula nafisa nagma namrata nandini noor pari paramjit phulmani
          pinky rabia raksha rama rambha ramya ranjita rasheeda reshma revathi rimpa rohini rukmini
          rupali sabnam sadhna sagarika saira samina sarla sasikala satya shahnaz shamim shanta
          sharmila shivani sindhu soma subhadra sukanya sunanda surekha tanuja tanvi trupti
          uma-devi valli vasanti veena vineeta zubeda`,
        parts: [
          'a am ba bha cha da de ga ha i ja ka la ma na ni pa ra sa shi su ta u va vi',
          '- bha de dha ga ja ka la li ma na ni pa ra ri sha su va ya',
          'a ali ana ati bai da devi i ika ila ima ini ita la mi na ni ta ti ya',
        ],
        rarer: 8_000,
      },
    },
  ],
  secondName: {
    share: 0.2,
    together: 0.5,
    leads: false,
    men: {
      listed: `350 kumar 80 singh 60 lal ram 40 chandra prasad 30 nath ali raj 20 kanta pal das
        bhai ahmad babu 10 dev mohan pratap narayan bahadur shankar swarup krishna`,
      parts: [
        'a ba cha de ga ha ja ka la ma na pa ra sa su ta va vi',
        '- bha de ga ja ka la ma na pa ra sha va ya',
        'an ash deep dev esh endra it jan lal nath raj',
      ],
      rarer: 500,
    },
    women: {
      listed: `250 kumari 200 devi 80 ben bai 60 rani 40 bala kaur 20 lata begum bibi khatun mani
        10 priya prabha shree rekha`,
      parts: [
        'a ba cha de ga ha ja ka la ma na pa ra sa su ta va vi',
        '- bha de ga ja ka la ma na pa ra sha va ya',
        'a ana i ika ini ita la ni ya',
      ],
      rarer: 500,
    },
  },
  custom: {
    wifeTakes: 0.5,
    bothParents: false,
    juniors: 0,
    siblingsAlike: 0.2,
    womens: {
      share: 0.33,
      list: {
        listed: '380 devi 130 kumari 120 kaur 110 bibi 90 begum 70 khatun 40 bai 30 bano rani',
        parts: ['kha ku ra be', 'tun ri gam ni'],
        rarer: 8,
      },
    },
  },
  ages: '125 123 116 104 94 82 74 66 58 50 40 30 20 18',
  newYear: 0.05,
  phones: ['9#########', '8#########', '7#########', '6#########'],
  places: {
    city: 'Mumbai',
    region: 'Maharashtra',
    zips: { first: 400001, step: 1, count: 104 },
    zipDigits: 6,
    streets: 3_500,
    usual: `mg-road station-road gandhi-road nehru-road shivaji-road ambedkar-road temple-road
      link-road swami-vivekananda-road tilak-road market-road college-road church-road main-road
      subhash-road patel-road lbs-marg hospital-road school-road ring-road lake-road bazar-road
      civil-lines jawahar-nagar gandhi-nagar shivaji-nagar shastri-nagar indira-nagar ram-nagar`,
    streetParts: [
      `adarsh ashok azad bhagat dharavi ganesh govind hanuman hari jai kalyan krishna lakshmi
        maruti nav om patel prem rajiv ram sai santosh shanti shiv shree sita sunder tulsi vikas
        vijay`,
      '- kunj lal nath van vihar gali',
      `-nagar -road -marg -lane -chawl -society -colony -chowk -1st-cross -2nd-cross -3rd-cross
        -4th-cross`,
    ],
    line: '{n} {s}',
    highest: 250,
    townParts: [
      `ala am ba bha chan dar deo fa ga gor ha ja jal ka kan la ma mir na pa ran sa sha
        sul ta u va`,
      '- da dha hi la na ra ri wa',
      'bad garh ganj giri gaon kot nagar pet pur puram ur wadi',
    ],
    towns: 4_000,
    second: { share: 0.5, text: 'ward {a}' },
    estates: 0.2,
  },
};
