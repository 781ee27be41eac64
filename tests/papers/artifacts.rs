//! Excerpts of models: Figure 7 of the deliverable, and the guard of its Table 1.

use crate::rows::{example, open};
use gsmc::{Options, Project};

/// Figure 7. Where it says […] stands what the expressions around it name, marked with a comment.
const FIGURE_7: &str = r#"<ca:CompositeApplication xmlns:ca="http://siena.ibm.com/model/CompositeApplication"
  name="FixedPriceProcurement" >
  <ca:Component id="FPR" name="FixedPriceRequest" >
    <ca:InformationModel id="FPRInformationModel" rootDataItemId="FPR" >
      <ca:DataItem id="FPR" schemaUri="FPR.xsd" rootElement="FPR" />
    </ca:InformationModel>
    <ca:GuardedStageModel id="FPR" name="FixedPriceRequest" description="" >
      <ca:Stage id="PreparingFPR" name="PreparingFPR" description="" >
        <ca:StageGuard id="GFPR1" name="Guardstart1"
          expression="!GSM.isStageCompleted('PreparingFPR')" eventIds="" />
        <ca:Milestone id="STS" name="SubmittedToSuppliers" eventIds="" >
          <ca:Condition expression="GSM.isMilestoneAchieved('Launched')"/>
        </ca:Milestone>
        <ca:Milestone id="Abandoned" name="Abandoned" eventIds="" >
          <ca:Condition expression="GSM.milestoneAchievedOnEvent('FPRAbandoned')"/>
        </ca:Milestone>
        <ca:SubStage id="Drafting" name="Drafting" description="" >
          <ca:StageGuard id="Guard17839" name="Guard1"
            expression="!GSM.isStageCompleted('Drafting')" eventIds="" />
          <ca:Milestone id="RRS" name="RequesterReadySubmit" eventIds="BlessSubmit" >
            <ca:Condition expression="GSM.isEventOccurring('BlessSubmit')"/>
          </ca:Milestone>
          <ca:SubStage id="DraftingFPRData" name="DraftingFPRData" description="" >
            <ca:StageGuard id="Guard13171" name="Guard1"
              expression="GSM.isEventOccurring('InitiateFPR')" eventIds="InitiateFPR" />
            <ca:Milestone id="InitiateFPRDone" name="InitiateFPRDone" eventIds="" >
              <ca:Condition expression="GSM.hasTaskCompleted('DraftingFPRDataTask')" />
            </ca:Milestone>
            <ca:Task id="DraftingFPRDataTask" name="DraftingFPRDataTask" >
              <ca:Assign>
                <ca:Mapping type="set" >
                  <ca:Source sourceId="InitiateFPRRequest" refType="serviceRequest"
                    XPath="InitiateFPRInputMessage/ProjectName" />
                  <ca:Target targetId="FPR" refType="artifact" XPath="FPR/ProjectName" />
                </ca:Mapping>
              </ca:Assign>
            </ca:Task>
          </ca:SubStage>
        </ca:SubStage>
        <!-- left out in the figure -->
        <ca:SubStage id="Launching" name="Launching" >
          <ca:StageGuard id="GL" expression="GSM.isMilestoneAchieved('RRS')" />
          <ca:Milestone id="Launched" name="Launched" eventIds="MCT" ><ca:Condition /></ca:Milestone>
          <ca:Milestone id="FPRAbandoned" name="FPRAbandoned" eventIds="Abandon" ><ca:Condition /></ca:Milestone>
        </ca:SubStage>
      </ca:Stage>
    </ca:GuardedStageModel>
  </ca:Component>
  <ca:EventModel id="FPPEventModel" name="FixedPriceProcurementEventModel" >
    <ca:Event id="MCT" name="ManuallyCloseTracking" >
      <ca:InputMsg id="MCTReq" schemaUri="MCTIn.xsd" rootElement="MCTIn" />
      <ca:OutMsg id="MCTResp" schemaUri="MCTOut.xsd" rootElement="MCTOut" />
    </ca:Event>
    <!-- left out in the figure -->
    <ca:Event id="BlessSubmit" name="BlessSubmit" /><ca:Event id="Abandon" name="Abandon" />
    <ca:Event id="InitiateFPR" name="InitiateFPR" >
      <ca:InputMsg id="InitiateFPRRequest" schemaUri="Init.xsd" rootElement="InitiateFPRInputMessage" />
    </ca:Event>
  </ca:EventModel>
</ca:CompositeApplication>
"#;

fn schema(root: &str, attribute: &str) -> String {
    format!(
        "<xs:schema xmlns:xs=\"http://www.w3.org/2001/XMLSchema\"><xs:element name=\"{root}\"><xs:complexType>\
         {attribute}</xs:complexType></xs:element></xs:schema>"
    )
}

#[test]
fn figure_7_is_a_model() {
    let folder = tempfile::tempdir().expect("a folder");
    let write = |name: &str, text: &str| std::fs::write(folder.path().join(name), text).expect("a file");
    let name = "<xs:attribute name=\"ProjectName\" type=\"xs:string\"/>";
    write("model.xml", FIGURE_7);
    write("FPR.xsd", &schema("FPR", name));
    write("Init.xsd", &schema("InitiateFPRInputMessage", name));
    write("MCTIn.xsd", &schema("MCTIn", ""));
    write("MCTOut.xsd", &schema("MCTOut", ""));
    let text = "drafted: EF ∃x : FPR (x.InitiateFPRDone ∧ x.ProjectName = 'ACSI')\n
                sent: EF GSM.isMilestoneAchieved('FixedPriceRequest', 'SubmittedToSuppliers')\n
                qualified: AG ∀x : FPR (x.Launching.Launched = True → x.PreparingFPR.STS = True)\n
                in-words: EF ∃x : FPR (x.Drafting.RequesterReadySubmit = True)";
    let opened = open(&folder.path().join("model.xml"), text).unwrap_or_else(|why| panic!("{why}"));
    let results = gsmc::check(&opened, &gsmc::Plan::default());
    let verdicts: Vec<Option<bool>> = results.results.iter().map(|r| r.verdict.holds()).collect();
    assert_eq!(verdicts, [true, true, true, true].map(Some));
}

/// The guard of Negotiating as Table 1 prints it instead of the example's own: one machine.
#[test]
fn the_guard_of_table_1() {
    let folder = crate::rows::renamed("research-proposal", &[]);
    let file = folder.path().join("model.xml");
    let text = std::fs::read_to_string(&file).expect("a model");
    let own = "ProjectType == 'Big' &amp;&amp; GSM.isMilestoneAchieved('Accepted') &amp;&amp; GSM.isMilestoneAchieved('Revised')";
    assert_eq!(text.matches(own).count(), 1);
    let printed = "ProjectType=Big AND Deciding.Accepted=True AND Revisioning.Revised=True";
    std::fs::write(&file, text.replace(own, printed)).expect("a model");
    let verdicts = |folder: &std::path::Path| {
        let project = Project::open(folder, &Options::default()).unwrap_or_else(|why| panic!("{why}"));
        let results = gsmc::check(&project, &gsmc::Plan::default());
        let states = results.machine.reachable_states.clone();
        (states, results.results.iter().map(|r| r.verdict.holds()).collect::<Vec<_>>())
    };
    assert_eq!(verdicts(folder.path()), verdicts(&example("research-proposal")));
}

/// The worked example of obligations in docs/papers.md: all its properties hold.
#[test]
fn obligations_as_violations_of_a_protocol() {
    let page = std::fs::read_to_string(example("../docs/papers.md")).expect("the page");
    let block =
        page.split("```gsm file=rental.gsm\n").nth(1).and_then(|rest| rest.split("```").next()).expect("a model");
    let folder = tempfile::tempdir().expect("a folder");
    let model = folder.path().join("rental.gsm");
    std::fs::write(&model, block).expect("a model");
    let project = Project::open(&model, &Options::default()).unwrap_or_else(|why| panic!("{why}"));
    let results = gsmc::check(&project, &gsmc::Plan::default()).results;
    let found: Vec<(&str, Option<bool>)> = results.iter().map(|r| (r.property.as_str(), r.verdict.holds())).collect();
    let wanted = ["can-be-broken", "can-be-kept", "kept-means-paid", "can-be-repaired"].map(|name| (name, Some(true)));
    assert_eq!(found, wanted);
}
