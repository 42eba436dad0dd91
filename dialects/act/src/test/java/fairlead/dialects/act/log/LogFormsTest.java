package fairlead.dialects.act.log;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Tags of ranks, the course of a training, and facts as Python prints them. */
class LogFormsTest {
    @ParameterizedTest(name = "{0}")
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            nullValues = "-",
            value = {
                "[1,0]<stdout>:hello    | 0",
                "[1,13]<stderr>:x       | 13",
                "[20421,3]<stddiag>:x   | 3",
                "[1,3]<stdout>          | -",
                "[1,]<stdout>:x         | -",
                "[1]<stdout>:x          | -",
                "[1,3] <stdout>:x       | -",
                "[1,12345678]<stdout>:x | -",
                "hello                  | -",
                "[                      | -",
            })
    void a46ALineOfARankSaysWhoseItIs(String line, Integer rank) {
        byte[] bytes = line.getBytes(StandardCharsets.UTF_8);
        var tag = RankTag.of(bytes, 0, bytes.length);
        assertEquals(Optional.ofNullable(rank), tag.map(RankTag::rank));
        tag.ifPresent(found -> assertEquals(line.indexOf(':') + 1, found.bytes()));
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource({"'',true", "[1,true", "'[1,3]<std',true", "'[1,3]<stdout>:',false", "h,false"})
    void a46TheBeginningOfALineMayStillBecomeATag(String line, boolean may) {
        byte[] bytes = line.getBytes(StandardCharsets.UTF_8);
        assertEquals(may, RankTag.mayBegin(bytes, 0, bytes.length));
    }

    @Test
    void a51TheNewestLineTellsHowATrainingGoes() {
        var facts =
                LogFacts.of(
                        List.of(
                                "eta: 14:00:00  iter: 1  speed: 3.5 images/sec  loss: 1",
                                "[{'mem_used': 3831, 'mem_total': 16130, 'gpu_util': 97},"
                                    + " {'mem_used': 3900, 'mem_total': 16130, 'gpu_util': 99}]",
                                "do_train(): eta: 13:02:24  iter: 2  speed: 16.1 images/sec "
                                        + " loss"));
        assertEquals(Optional.of("16.1 images/sec"), facts.speed());
        assertEquals(Optional.of("13:02:24"), facts.left());
        assertEquals(Optional.of("3831-3900"), facts.memoryUsed());
        assertEquals(Optional.of("97-99"), facts.gpuUse());
        assertEquals(Optional.empty(), LogFacts.of(List.of("hello")).speed());
        var ours = List.of("fairlead: GPUs: 0, 97 %, 38 MiB, 99 MiB; 1, 97 %, 40 MiB, 99 MiB");
        assertEquals(Optional.of("38-40"), LogFacts.of(ours).memoryUsed());
        assertEquals(Optional.of("97"), LogFacts.of(ours).gpuUse());
    }

    /** The example of ACT's document, with a shorter argument. */
    @Test
    void a48TheFactsLookAsInTheDocument() {
        var facts = new HashMap<String, Object>();
        facts.put("status", "Canceled");
        facts.put("appID", "jianfw_1563257309_60ce2fc7");
        facts.put("appID-s", "e2fc7");
        facts.put("cluster", "aml");
        facts.put("cmd", "python src/qd/pipeline.py -bp " + "YWxsX3Rl".repeat(20));
        facts.put("num_gpu", 8);
        facts.put("start_time", "2019-07-16T06:14:10.688519Z");
        facts.put("end_time", null);
        assertEquals(
                """
                {'appID': 'jianfw_1563257309_60ce2fc7',
                 'appID-s': 'e2fc7',
                 'cluster': 'aml',
                 'cmd': 'python src/qd/pipeline.py -bp '
                        '%s',
                 'end_time': None,
                 'num_gpu': 8,
                 'start_time': '2019-07-16T06:14:10.688519Z',
                 'status': 'Canceled'}\
                """
                        .formatted("YWxsX3Rl".repeat(20)),
                PythonText.of(facts));
    }

    @Test
    void a48LongTextsAreBrokenWherePythonBreaksThem() {
        var words = new StringBuilder("word0");
        for (int i = 1; i < 40; i++) words.append(" word").append(i);
        assertEquals(
                """
                {'long': 'word0 word1 word2 word3 word4 word5 word6 word7 word8 word9 word10 '
                         'word11 word12 word13 word14 word15 word16 word17 word18 word19 '
                         'word20 word21 word22 word23 word24 word25 word26 word27 word28 '
                         'word29 word30 word31 word32 word33 word34 word35 word36 word37 '
                         'word38 word39'}\
                """,
                PythonText.of(Map.of("long", words.toString())));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {"it's|\"it's\"", "it's \"x\"|'it\\'s \"x\"'", "a\\b|'a\\\\b'", "é|'é'"})
    void a48QuotesAreThoseOfPython(String text, String quoted) {
        assertEquals(quoted, PythonText.quoted(text));
    }

    @Test
    void a45PathsAreAListOfPython() {
        assertEquals("['a/b', 'c']", PythonText.of(List.of("a/b", "c")));
        String path = "/home/ann/assets/ann_1_0000000a/azureml-logs/70_driver_log_rank_";
        assertEquals(
                "['" + path + "0.txt',\n '" + path + "1.txt']",
                PythonText.of(List.of(path + "0.txt", path + "1.txt")));
        assertEquals("[]", PythonText.of(List.of()));
    }

    @Test
    void a49NestedFactsAreIndented() {
        assertEquals(
                """
                {'cmd_param': {'param': {'data': 'coco', 'max_iter': 90000, 'sync_bn': True},
                               'type': 'pipeline_train_eval_multi'}}\
                """,
                PythonText.of(
                        Map.of(
                                "cmd_param",
                                Map.of(
                                        "type",
                                        "pipeline_train_eval_multi",
                                        "param",
                                        Map.of(
                                                "data",
                                                "coco",
                                                "max_iter",
                                                90000,
                                                "sync_bn",
                                                true)))));
    }
}
