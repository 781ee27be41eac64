/* The garage as the Testbed translator would write it: one loop, a branch for every node and relation, flags for what is triggered
   and executed, data as the paper declares it. Joins and splits are events of their own. Written by hand. */

mtype = { Whole, Broken, Repaired, None, Approved, Rejected, Idle, UnderConsideration, Informed };

typedef Customer {
  byte customerGroup;
  mtype status;
  bool claimReceived;
}

Customer customerFile[5];
byte customerId;
mtype car = Whole;
mtype decision = None;
int damage;

bool triggered_accident = true;
bool triggered_damage_assessment, triggered_receive_decision, triggered_verdict, triggered_damage_repair;
bool triggered_split, triggered_ready, triggered_deliver_car, triggered_submit_invoice, triggered_receive_payment;
bool triggered_receipt_assessment = true;
bool triggered_claim_receipt, triggered_evaluate, triggered_notify, triggered_receive_invoice, triggered_pay_invoice;

bool executed_accident, executed_damage_assessment, executed_receive_decision, executed_verdict, executed_damage_repair;
bool executed_split, executed_ready, executed_deliver_car, executed_submit_invoice, executed_receive_payment;
bool executed_receipt_assessment, executed_claim_receipt, executed_evaluate, executed_notify, executed_receive_invoice;
bool executed_pay_invoice;

active proctype AMBER_simulator() {
  do
  :: atomic { triggered_accident ->
       triggered_accident = false; executed_accident = true;
       customerFile[0].customerGroup = 1; customerFile[0].status = Idle; customerFile[0].claimReceived = false;
       customerFile[1].customerGroup = 2; customerFile[1].status = Idle; customerFile[1].claimReceived = false;
       customerFile[2].customerGroup = 3; customerFile[2].status = Idle; customerFile[2].claimReceived = false;
       customerFile[3].customerGroup = 4; customerFile[3].status = Idle; customerFile[3].claimReceived = false;
       customerFile[4].customerGroup = 5; customerFile[4].status = Idle; customerFile[4].claimReceived = false;
       car = Broken;
       if
       :: true -> customerId = 0
       :: true -> customerId = 1
       :: true -> customerId = 2
       :: true -> customerId = 3
       :: true -> customerId = 4
       fi;
       triggered_damage_assessment = true }
  :: atomic { triggered_damage_assessment && triggered_receipt_assessment ->
       triggered_damage_assessment = false; executed_damage_assessment = true;
       triggered_receipt_assessment = false; executed_receipt_assessment = true;
       if
       :: true -> damage = 1000
       :: true -> damage = 5000
       :: true -> damage = 6000
       fi;
       customerFile[customerId].status = UnderConsideration;
       triggered_receive_decision = true; triggered_claim_receipt = true }
  :: atomic { triggered_claim_receipt ->
       triggered_claim_receipt = false; executed_claim_receipt = true;
       customerFile[customerId].claimReceived = true;
       triggered_evaluate = true }
  :: atomic { triggered_evaluate ->
       triggered_evaluate = false; executed_evaluate = true;
       if
       :: damage < customerFile[customerId].customerGroup * 1000 -> decision = Approved
       :: damage >= customerFile[customerId].customerGroup * 1000 -> decision = Rejected
       fi;
       triggered_notify = true }
  :: atomic { triggered_notify && triggered_receive_decision ->
       triggered_notify = false; executed_notify = true;
       triggered_receive_decision = false; executed_receive_decision = true;
       customerFile[customerId].status = Informed;
       triggered_verdict = true;
       if
       :: decision == Approved -> triggered_receive_invoice = true
       :: else
       fi }
  :: atomic { triggered_verdict ->
       triggered_verdict = false; executed_verdict = true;
       if
       :: decision == Approved -> triggered_damage_repair = true
       :: decision == Rejected -> triggered_ready = true
       fi }
  :: atomic { triggered_damage_repair ->
       triggered_damage_repair = false; executed_damage_repair = true;
       car = Repaired;
       triggered_split = true }
  :: atomic { triggered_split ->
       triggered_split = false; executed_split = true;
       triggered_ready = true; triggered_submit_invoice = true }
  :: atomic { triggered_ready ->
       triggered_ready = false; executed_ready = true;
       triggered_deliver_car = true }
  :: atomic { triggered_deliver_car ->
       triggered_deliver_car = false; executed_deliver_car = true }
  :: atomic { triggered_submit_invoice && triggered_receive_invoice ->
       triggered_submit_invoice = false; executed_submit_invoice = true;
       triggered_receive_invoice = false; executed_receive_invoice = true;
       triggered_receive_payment = true; triggered_pay_invoice = true }
  :: atomic { triggered_pay_invoice && triggered_receive_payment ->
       triggered_pay_invoice = false; executed_pay_invoice = true;
       triggered_receive_payment = false; executed_receive_payment = true }
  od
}

#define damage_repair (executed_damage_repair)
#define deliver_car (executed_deliver_car)
#define submit_invoice (executed_submit_invoice)
#define claim_approved (decision == Approved)
#define claim_rejected (decision == Rejected)
#define claim_below_6000 (damage <= 6000)
#define customer_4 (customerId == 4)

ltl prop1 { [] (!damage_repair W claim_approved) }
ltl prop2 { [] ((claim_below_6000 && customer_4) -> <> claim_approved) }
ltl prop3 { [] (!deliver_car W damage_repair) }
ltl prop4 { [] (claim_rejected -> [] !damage_repair) }
ltl prop5 { [] (claim_rejected -> [] !submit_invoice) }
